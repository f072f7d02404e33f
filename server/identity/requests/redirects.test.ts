import { expect, test } from 'vitest';
import { acceptRedirect, withParameters } from './redirects.ts';

const rules = {
  siteUrl: 'https://board.example.com',
  redirectUrls: [
    'https://*.preview.example.com/**',
    'https://app.example.org/callback',
    'https://**.wide.example.net/*',
    'myapp://signed-in',
    'http://localhost:5173/**',
    'com.example.app://**',
    'com.my_app.example:/oauth',
    'exp://192.168.1.*:8081/--/*',
    'https://pr-?.example.net',
    'https://app-[0-9].example.net/[!x]/**',
    'https://anything.example.**',
  ],
};

test.each([
  'https://board.example.com/',
  'https://board.example.com/app?next=%2F#top',
  'https://one.preview.example.com/a/b?c=d',
  'https://app.example.org/callback',
  'https://app.example.org/callback?sb_flow_id=1',
  'https://a.b.wide.example.net/x',
  'myapp://signed-in',
  'http://localhost:5173/auth/callback',
  'com.example.app://sign-in/v2',
  'com.example.app://a.b/c?d=e#f',
  'exp://192.168.1.20:8081/--/back',
  'https://pr-7.example.net/',
  'https://app-7.example.net/y/a.b/c',
  'https://anything.example.org/a/b.c?d=e',
])('%s is ours', (address) => expect(acceptRedirect(rules, address)).toBe(new URL(address).href));

test.each([
  ['http://localhost:5173/app', true],
  ['http://127.0.0.1:5173/app', true],
  ['http://127.9.8.7/app', true],
  ['http://[::1]:5173/app', true],
  ['http://127.evil.example/app', false],
  ['http://127.0.0.1.evil.example/app', false],
  ['http://localhost.evil.example/app', false],
])('on a developer’s machine, %s is this machine: %s', (address, ours) => {
  const local = { siteUrl: 'http://localhost:3000', redirectUrls: [] };
  expect(acceptRedirect(local, address)).toBe(ours ? address : null);
});

test('names of apps may have underscores and one slash, and keep their parameters', () => {
  const there = acceptRedirect(rules, 'com.my_app.example:/oauth') ?? '';
  expect(there).toBe('com.my_app.example:/oauth');
  expect(withParameters(there, { code: '1' }, 'both')).toBe('com.my_app.example:/oauth?code=1#code=1');
  expect(withParameters('com.example.app://sign-in/v2', { code: '1' }, 'query')).toBe(
    'com.example.app://sign-in/v2?code=1',
  );
});

test.each([
  '',
  '/app',
  '//evil.test',
  '\\\\evil.test',
  'https:\\\\board.example.com',
  'https:/board.example.com',
  'https://evil.test',
  'https://evil.test/https://board.example.com',
  'https://board.example.com.evil.test',
  'https://board.example.com@evil.test',
  'https://evil.test?x=.preview.example.com/',
  'https://evil.test#.preview.example.com/',
  'https://a.b.preview.example.com/',
  'https://preview.example.com/',
  'http://board.example.com/',
  'https://board.example.com:8443/',
  'https://app.example.org/callback/../elsewhere',
  'https://app.example.org/other',
  'https://x.wide.example.net/a/b',
  'https://evil.test/.wide.example.net/x',
  'myapp://elsewhere',
  'javascript:alert(1)//https://board.example.com',
  'data:text/html,x',
  'https://board.example.com/\nx',
  'https://board.exam\tple.com/',
  'http://localhost:5174/',
  'com.example.app.evil://sign-in',
  'com.example.app:sign-in',
  'com.example.app://user:secret@sign-in',
  'com.example.app://sign-in\\v2',
  'com.my_app.example:/oauth/elsewhere',
  'com.my_app.example://oauth',
  'com.my_app.example:/x/../oauth2',
  'exp://192.168.1.20:8081/--/back/further',
  'exp://192.168.1.evil.test:8081/--/back',
  'https://pr-77.example.net/',
  'https://pr-.example.net/',
  'https://app-x.example.net/y/z',
  'https://app-7.example.net/x/z',
  'vbscript:msgbox(1)',
  'view-source:https://board.example.com/',
  'about:blank',
  'https:com.example.app://sign-in',
  'https://%65vil.test/',
  'https://board.example.com%2f@evil.test/',
  'https://board.example.com:443@evil.test/',
  'https://evil.test%00.preview.example.com/',
  'https://evil.test%2f.preview.example.com/',
  'https://evil.test\u3002preview.example.com/',
  'https://\u202eboard.example.com/',
  'https://one.preview.example.com\u0000/',
  'https://b\u00f6ard.example.com/',
  `https://board.example.com/${'a'.repeat(5000)}`,
])('%j is not', (address) => expect(acceptRedirect(rules, address)).toBeNull());

test('parameters go where clients look for them, and keep what is there', () => {
  const there = 'https://board.example.com/app?next=%2Fx#old';
  expect(withParameters(there, { code: 'a b' }, 'query')).toBe('https://board.example.com/app?next=%2Fx&code=a+b#old');
  expect(withParameters(there, { error: 'x' }, 'both')).toBe('https://board.example.com/app?next=%2Fx&error=x#error=x');
  expect(withParameters(there, { token: '1' }, 'fragment')).toBe('https://board.example.com/app?next=%2Fx#token=1');
});
