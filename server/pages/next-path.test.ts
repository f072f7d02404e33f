import { describe, expect, it } from 'vitest';
import { readNextPath } from './next-path.ts';

describe('readNextPath', () => {
  for (const path of [
    '/app',
    '/',
    '/app/projects/1?view=board&x=1#task-2',
    '/app/%C3%A4',
    '/app?from=https%3A%2F%2Fa.test',
    '/app/50%25',
    '/a//b',
  ])
    it(`keeps ${path}`, () => expect(readNextPath(path)).toBe(path));

  it('writes a path the way an address needs it', () => {
    expect(readNextPath('/app/ä b')).toBe('/app/%C3%A4%20b');
    expect(readNextPath('/app/../other')).toBe('/other');
  });

  const elsewhere = [
    undefined,
    null,
    '',
    7,
    ['/app'],
    'app',
    'https://evil.test',
    'HTTPS://evil.test/app',
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/\\/evil.test',
    'https:/evil.test',
    'https:evil.test',
    'javascript:alert(1)',
    'data:text/html,x',
    ' //evil.test',
    ' /app',
    '\t//evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    '/\r\nSet-Cookie: a=b',
    '/%2fevil.test',
    '/%2F%2Fevil.test',
    '%2f%2fevil.test',
    '/%252fevil.test',
    '/%25252fevil.test',
    '/%5cevil.test',
    '/%255cevil.test',
    '/%09/evil.test',
    '/%0d%0aLocation:x',
    '/.//evil.test',
    '/..//evil.test',
    '/app/..//evil.test',
    '/%2e%2e//evil.test',
    '/%2e//evil.test',
    '@evil.test',
    'user@evil.test',
    '//user@evil.test',
    '/\u202e//evil.test',
    '\u0000/app',
    '/app\u0000',
    `/${'a'.repeat(3000)}`,
    '/%25252525252525252fevil.test',
  ];
  for (const wish of elsewhere)
    it(`leads ${JSON.stringify(wish)?.slice(0, 40)} to the app`, () => expect(readNextPath(wish)).toBe('/app'));

  it('every path read resolves to this site, also when decoded once more', () => {
    for (const wish of elsewhere) {
      const path = readNextPath(wish);
      expect(new URL(path, 'https://site.test').host).toBe('site.test');
      expect(new URL(decodeURIComponent(path), 'https://site.test').host).toBe('site.test');
    }
  });
});
