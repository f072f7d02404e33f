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
])('%s is ours', (address) => expect(acceptRedirect(rules, address)).toBe(new URL(address).href));

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
  'https://b\u00f6ard.example.com/',
  `https://board.example.com/${'a'.repeat(5000)}`,
])('%j is not', (address) => expect(acceptRedirect(rules, address)).toBeNull());

test('parameters go where clients look for them, and keep what is there', () => {
  const there = 'https://board.example.com/app?next=%2Fx#old';
  expect(withParameters(there, { code: 'a b' }, 'query')).toBe('https://board.example.com/app?next=%2Fx&code=a+b#old');
  expect(withParameters(there, { error: 'x' }, 'both')).toBe('https://board.example.com/app?next=%2Fx&error=x#error=x');
  expect(withParameters(there, { token: '1' }, 'fragment')).toBe('https://board.example.com/app?next=%2Fx#token=1');
});
