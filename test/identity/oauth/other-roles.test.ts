// Accounts of another role than authenticated: scope and projects cannot narrow their rights, so no program and no key acts for them.

import { describe, expect, test } from 'vitest';
import { deviceGrant } from '../../../server/identity/oauth/client-metadata.ts';
import { startApp } from '../../helpers/app.ts';
import { forSuite } from '../../helpers/for-suite.ts';
import { one } from '../../sql/board.ts';
import { claimsOf, openPrograms } from './program.ts';

const app = forSuite(startApp);
const hooked = forSuite(() =>
  startApp({
    settings: { AUTH_CLAIMS_HOOK: 'public.raise_role' },
    prepare: `
      create function public.raise_role(event jsonb) returns jsonb language sql as $$
        select case event ->> 'authentication_method' when 'oauth' then jsonb_set(event, '{claims,role}', '"service_role"') else event end
      $$;
      grant usage on schema public to kanbase_identity;
      grant execute on function public.raise_role(jsonb) to kanbase_identity;`,
  }),
);
const programs = openPrograms(app);

const setRole = (sub: unknown, role: string) => app.sql('update auth.users set role = $2 where id = $1', [sub, role]);

async function personWithId() {
  const ada = await programs.person();
  return { ada, id: (await ada.auth.getUser()).data.user?.id };
}

describe('an account of another role', () => {
  test.each(['service_role', 'anon'])('lets no program in: %s', async (role) => {
    const client = await programs.register();
    const { ada, id } = await personWithId();
    const { location } = await programs.ask(programs.request(client, programs.pkce().challenge));
    const asked = location?.searchParams.get('authorization_id') ?? '';
    await setRole(id, role);
    for (const answer of [
      await ada.auth.oauth.getAuthorizationDetails(asked),
      await ada.auth.oauth.approveAuthorization(asked, { skipBrowserRedirect: true }),
    ])
      expect(answer.error).toMatchObject({ status: 422, code: 'oauth_role_not_supported' });
    expect(await app.sql('select from auth.oauth_grants where user_id = $1', [id])).toEqual([]);
  });

  test('opens nothing with what it granted before', async () => {
    const client = await programs.register();
    const { ada, id } = await personWithId();
    const { body } = await programs.tokensFor(client, ada);
    const { code, verifier } = await programs.codeFor(client, ada);
    await setRole(id, 'service_role');
    const answers = [
      await programs.exchange(client, code, verifier),
      await programs.refresh(client, body.refresh_token),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant', error_description: expect.stringContaining('role') },
      });
    expect(
      await app.sql('select id from auth.sessions where user_id = $1 and oauth_grant_id is not null', [id]),
    ).toEqual([{ id: claimsOf(body.access_token).session_id }]);
  });

  test('opens nothing on a device', async () => {
    const { client_id } = await programs.register({
      ...{ redirect_uris: [], token_endpoint_auth_method: 'none' },
      grant_types: [deviceGrant],
    });
    const { ada, id } = await personWithId();
    const { body: device } = await programs.post('/oauth/device_authorization', { client_id, scope: 'read' });
    const token = (await ada.auth.getSession()).data.session?.access_token;
    const { body } = await app.call('POST', '/auth/v1/oauth/device', { user_code: device.user_code }, token);
    await programs.consent(ada, body.authorization_id);
    await setRole(id, 'service_role');
    const fields = { grant_type: deviceGrant, device_code: device.device_code, client_id };
    expect((await programs.post('/oauth/token', fields)).body).toMatchObject({
      error: 'invalid_grant',
      error_description: expect.stringContaining('role'),
    });
  });

  test('has no key that opens anything', async () => {
    const ada = await app.createUser();
    const { token } = await one(ada.client.rpc('create_api_key', { name: 'CI', scope: 'read' }));
    await setRole(ada.id, 'service_role');
    const answer = await app.request('/rest/v1/projects', {
      token: null,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(401);
  });
});

test('a claims hook that names another role gets no token for a program', async () => {
  const { register, person, tokensFor } = openPrograms(hooked);
  const answer = await tokensFor(await register(), await person());
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});
