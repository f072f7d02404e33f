// Reads the path to go to after a sign-in: a path on this site, however it is spelled. Anything else is the app.

const elsewhere = 'https://elsewhere.invalid';

export const defaultNext = '/app';

export function readNextPath(wish: unknown): string {
  if (typeof wish !== 'string' || wish === '' || wish.length > 2048) return defaultNext;
  // A path that turns into another address after one more decoding, by a proxy say, is as bad as the address itself.
  let layer = wish;
  for (let depth = 0; depth < 5; depth += 1) {
    if (!isPathHere(layer)) return defaultNext;
    let inner: string;
    try {
      inner = decodeURIComponent(layer);
    } catch {
      break; // a lone % is no further layer
    }
    if (inner === layer) break;
    layer = inner;
    if (depth === 4) return defaultNext;
  }
  const { pathname, search, hash } = new URL(wish, elsewhere);
  return pathname + search + hash;
}

function isPathHere(text: string): boolean {
  if (!text.startsWith('/') || text.startsWith('//')) return false;
  const [path = ''] = text.split(/[?#]/, 1);
  // Browsers drop tabs and line breaks from addresses and read a backslash as a slash.
  if (/[\p{Cc}\p{Cf}]/u.test(text) || path.includes('\\')) return false;
  if (!URL.canParse(text, elsewhere)) return false;
  const url = new URL(text, elsewhere);
  return url.origin === elsewhere && !url.pathname.startsWith('//') && url.username === '';
}
