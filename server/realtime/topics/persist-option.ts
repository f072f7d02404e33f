// Reads a broadcast's option to be stored: `true`, or `{ttl}` in seconds.

/** Seconds; null: it shall not be kept; undefined: what was said makes no sense. */
export function persistSeconds(option: unknown, longest: number): number | null | undefined {
  if (option === undefined || option === null || option === false) return null;
  if (option === true) return longest;
  const ttl = typeof option === 'object' ? (option as { readonly ttl?: unknown }).ttl : undefined;
  return typeof ttl === 'number' && Number.isInteger(ttl) && ttl >= 1 && ttl <= longest ? ttl : undefined;
}
