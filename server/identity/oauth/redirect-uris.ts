// Addresses that a program is sent back to. They are compared as text with those that are registered; only the port of a loopback address may
// differ, since a program on a person's machine takes whichever is free (RFC 8252, 7.3).

const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(\/[^#]*|\?[^#]*)?$/;
/** Schemes that a browser runs or reads by itself. */
const neverAnApp = /^(javascript|data|vbscript|blob|file|filesystem|about|view-source|ws|wss|ftp|mailto|intent)$/;
const longest = 2000;

export function matchesRedirectUri(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  const here = loopback.exec(asked);
  if (here === null) return false;
  return registered.some((one) => {
    const there = loopback.exec(one);
    return there !== null && there[1] === here[1] && there[2] === here[2];
  });
}

/** Words for what is wrong with an address that a client wants to register; null: nothing. */
export function faultOfRedirectUri(uri: string): string | null {
  if (uri.length > longest) return 'is too long';
  if (!/^[\x21-\x7e]+$/.test(uri) || /[\\<>"`{}|^]/.test(uri)) return 'has characters that addresses do not have';
  if (uri.includes('*')) return 'has a wildcard: each address is registered as it is';
  if (uri.includes('#')) return 'has a fragment';
  const scheme = /^([a-z][a-z0-9+.-]*):/.exec(uri)?.[1];
  if (scheme === undefined || !URL.canParse(uri)) return 'is no absolute address';
  if (neverAnApp.test(scheme)) return `has the scheme ${scheme}`;
  if (scheme === 'http') return loopback.test(uri) ? null : 'is plain http, which only loopback addresses may be';
  if (scheme !== 'https') return null;
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '') return 'has a name or password';
  // What a browser would read otherwise than it is written, such as /a/../b, is compared with nothing.
  return url.href === uri || url.href === `${uri}/` ? null : `would be read as ${url.href}`;
}

/** Whether a program elsewhere could wait at the same address: such a program is not let in without a look at the page. */
export function isOnDevice(uri: string): boolean {
  return !uri.startsWith('https:');
}
