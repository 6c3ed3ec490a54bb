/** Which build this is; the bundler puts it in. An engine of another build makes room for a newer client's. */
export const BUILD: string = process.env.RATCHET_BUILD ?? 'source';
