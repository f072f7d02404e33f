// The five calls every client makes first, through the official client and by hand.

import { expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(startApp);

test('sign up, sign in, refresh, read, sign out', async () => {
  const client = app.client();
  const up = await client.auth.signUp({
    email: 'Ada@Example.test',
    password: 'secret1',
    options: { data: { name: 'Ada' } },
  });
  expect(up.error).toBeNull();
  expect(up.data.session?.access_token).toBeTruthy();
  expect(up.data.user).toMatchObject({ email: 'ada@example.test', user_metadata: { name: 'Ada' }, app_metadata: {} });

  const wrong = await client.auth.signInWithPassword({ email: 'ada@example.test', password: 'nope' });
  expect(wrong.error).toMatchObject({ code: 'invalid_credentials', status: 400, message: 'Invalid login credentials' });

  const signed = await client.auth.signInWithPassword({ email: 'ada@example.test', password: 'secret1' });
  expect(signed.error).toBeNull();
  const me = await client.auth.getUser();
  expect(me.data.user?.id).toBe(up.data.user?.id);

  const refreshed = await client.auth.refreshSession();
  expect(refreshed.error).toBeNull();
  expect(refreshed.data.session?.refresh_token).not.toBe(signed.data.session?.refresh_token);
  const old = refreshed.data.session?.access_token ?? '';
  expect((await client.auth.signOut()).error).toBeNull();
  const after = await app.request('/auth/v1/user', { token: old });
  expect(after.status).toBe(401);
  expect(await after.json()).toMatchObject({ code: 'session_not_found', error_code: 'session_not_found' });
});
