// A key from a name: initials of several words, or the first letters of one.

export function proposeKey(name: string): string {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter(Boolean);
  if (words.length === 0) return '';
  const initials = words.map((word) => word.charAt(0)).join('');
  const key = words.length > 1 ? initials : (words[0] ?? '').slice(0, 3);
  return key.length < 2 ? '' : key.slice(0, 6);
}
