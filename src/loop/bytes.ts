const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** `2 GB`, `512MB`, `1.5g`: a number with its unit, each 1024 of the one before. Undefined where it is none. */
export function readBytes(text: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(?:([kmgt])(?:i?b)?)\s*$/i.exec(text);
  if (match === null) return undefined;
  const power = 'kmgt'.indexOf((match[2] ?? '').toLowerCase()) + 1;
  const bytes = Math.round(Number(match[1]) * 1024 ** power);
  return bytes > 0 ? bytes : undefined;
}

/** As a person reads it, in the largest unit of which there is one, with three digits at most. */
export function bytesInWords(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** power;
  return `${value >= 1000 ? Math.round(value) : Number(value.toPrecision(3))} ${UNITS[power] ?? 'bytes'}`;
}
