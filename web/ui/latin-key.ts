// Latin letter of a shortcut on layouts without Latin letters (Cyrillic, Greek, Hebrew, Arabic): the one printed on the same key of a Latin keyboard.
// Layouts with Latin letters use their own.

const signs: Readonly<Record<string, string>> = {
  BracketLeft: '[',
  BracketRight: ']',
  Slash: '/',
  Period: '.',
  Comma: ',',
};

export function latinKey({ key, code = '' }: { readonly key: string; readonly code?: string }): string {
  // Arabic has a key of two letters.
  if (!/^\p{L}+$/u.test(key) || /\p{Script=Latin}/u.test(key)) return key;
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? signs[code] ?? key;
}
