// People who guess: how often they may, from where, and that nobody is shut out by somebody else's guesses.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ settings: { TRUST_PROXY: 'loopback', AUTH_LIMIT_FAILURES: '3' } });
});
afterAll(() => app.close());

const password = 'secret1';
let count = 0;

async function member() {
  count += 1;
  const email = `guessed${count}@example.test`;
  const client = app.client();
  const { data, error } = await client.auth.signUp({ email, password });
  expect(error).toBeNull();
  return { email, client, token: data.session?.access_token ?? '' };
}

async function put(token: string, body: object) {
  const answer = await app.request('/auth/v1/user', { method: 'PUT', token, body: JSON.stringify(body) });
  return { status: answer.status, code: (await answer.json()).code };
}

describe('a session in the wrong hands', () => {
  test('does not find out the password by proposing it as the new one', async () => {
    const { email, token } = await member();
    // A change that fails for another reason leaves everything as it was, and would answer guess after guess.
    for (let guess = 0; guess < 3; guess += 1)
      expect(await put(token, { password })).toEqual({ status: 422, code: 'same_password' });
    expect(await put(token, { password })).toEqual({ status: 429, code: 'over_request_rate_limit' });
    expect(await put(token, { password: 'another one' })).toEqual({ status: 429, code: 'over_request_rate_limit' });
    expect((await app.client().auth.signInWithPassword({ email, password })).error).toBeNull();
  });
});
