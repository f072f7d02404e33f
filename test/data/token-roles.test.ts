// Tokens and the roles they name: expired, unknown, not granted, none.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { expectReply, startApi } from './api.ts';

const api = forSuite(startApi);

describe('tokens', () => {
  test('an expired token is 401', async () => {
    const expired = await api.app.services.sessions.sign({ role: 'authenticated' }, -3600);
    expectReply(await api.get('/sailors', { as: expired }), {
      status: 401,
      json: { code: 'PGRST303', message: 'JWT expired', details: null, hint: null },
      headers: { 'www-authenticate': /^Bearer error="invalid_token", error_description="JWT expired"/ },
    });
  });

  test('a token with an unknown role is 401', async () => {
    expectReply(await api.get('/sailors', { as: await api.token({ role: 'nobody_like_that' }) }), {
      status: 401,
      json: { code: '22023', message: 'role "nobody_like_that" does not exist', details: null, hint: null },
    });
  });

  test('a token with a role that was not granted is refused', async () => {
    const reply = await api.get('/sailors', { as: await api.token({ role: 'postgres' }) });
    expect(reply.status).toBeOneOf([401, 403]);
    expect(reply.json).toMatchObject({ code: expect.stringMatching(/^(42501|22023)$/) });
  });

  test('a token without a role is anonymous, or refused where anonymous callers are', async () => {
    const token = await api.app.services.sessions.sign({ sub: 'x' }, 600);
    const reply = await api.get('/rpc/describe_request', { as: token });
    if (reply.status === 200) expect(reply.json).toMatchObject({ role: 'anon' });
    else expect(reply.status).toBe(401);
  });
});
