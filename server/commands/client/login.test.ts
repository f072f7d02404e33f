// Pages to sign in on: a browser is opened at those of the instance alone.

import { expect, test } from 'vitest';
import { pageOf } from './login.ts';

test.each([
  ['https://board.example.com/oauth/device?user_code=A', true],
  ['https://board.example.com.evil.test/oauth/device', false],
  ['https://board.example.com:8443/oauth/device', false],
  ['http://board.example.com/oauth/device', false],
])('%s is a page of the instance: %s', (page, isOwn) => {
  expect(pageOf('https://board.example.com/kanbase', { verification_uri: page })).toEqual({ page, isOwn });
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'oauth/device'])('%s is no page', (verification_uri) => {
  expect(() => pageOf('https://board.example.com', { verification_uri })).toThrow('names no page to sign in on');
});
