/** A text in UTF-8, its byte-order mark kept; undefined for any other bytes, which can't be edited without damage. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
