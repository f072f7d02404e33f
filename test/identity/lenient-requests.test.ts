// Requests that GoTrue takes though they are not quite as they should be: null for nothing, a slash behind a path.

import { expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { startMailedApp } from './mailed-app.ts';

const app = forSuite(() => startMailedApp({ settings: { AUTH_ANONYMOUS: 'true' } }));

const call = (method: string, path: string, body?: unknown, token = app.serviceKey) =>
  app.call(method, `/auth/v1${path}`, body, token);

test('null is as good as nothing', async () => {
  const { body } = await call('POST', '/signup', { email: null, phone: null, password: null, data: null });
  expect(body.user).toMatchObject({ is_anonymous: true });
  const changed = await call(
    'PUT',
    '/user',
    { email: null, password: null, app_metadata: null, data: { a: 1 } },
    body.access_token,
  );
  expect(changed).toMatchObject({ status: 200, body: { user_metadata: { a: 1 } } });
});

test('a body that is null is an empty one', async () => {
  expect((await call('POST', '/signup', null)).body.user).toMatchObject({ is_anonymous: true });
  expect(await call('POST', '/recover', null)).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', message: 'Password recovery requires an email' },
  });
});

test('a slash behind a path changes nothing', async () => {
  const { body } = await call('POST', '/signup/', {});
  const id: string = body.user.id;
  expect((await call('GET', '/user/', undefined, body.access_token)).body.id).toBe(id);
  for (const path of ['/admin/users/', `/admin/users/${id}/`, `/admin/users/${id}/factors/`, '/admin/audit/'])
    expect([path, (await call('GET', path)).status]).toEqual([path, 200]);
  expect((await call('POST', '/verify/', {})).body.code).toBe('validation_failed');
  expect((await app.request('/auth/v1/verify/?type=signup&token=x', { method: 'HEAD' })).status).toBe(204);
});
