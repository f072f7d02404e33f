// NUL has no place in Postgres, so JSON of a file is read without it.

/** One that is escaped, and not words that come after an escaped backslash. */
const nul = /(?<!\\)((?:\\\\)*)\\u0000/g;

export const stripNul = (json: string): string => (json.includes('\\u0000') ? json.replaceAll(nul, '$1') : json);
