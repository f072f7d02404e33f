// The protocol of /scim/v2: documents, tokens, versions, forms of errors; and the database role that serves it.

import { describe, expect, test } from 'vitest';
import { makeOperator } from '../admin/operator.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { makeProvider, provider, sendScim } from './provider.ts';

const app = forSuite(startApp);
const entra = provider(app, 'Entra');

const errorForm = (status: number) => ({
  status,
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    detail: expect.any(String),
  },
});

describe('documents', () => {
  test('say what is supported', async () => {
    const { body } = await entra.send('GET', '/ServiceProviderConfig');
    expect(body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: true },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    });
  });

  test('describe the types and their attributes', async () => {
    const types = (await entra.send('GET', '/ResourceTypes')).body;
    expect(types.totalResults).toBe(2);
    expect(types.Resources.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual(['/Users', '/Groups']);
    const schemas = (await entra.send('GET', '/Schemas')).body;
    for (const { id } of schemas.Resources) expect((await entra.send('GET', `/Schemas/${id}`)).body.id).toBe(id);
    const [user] = schemas.Resources;
    const names = user.attributes.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['userName', 'displayName', 'name', 'emails', 'active', 'groups']);
    expect((await entra.send('GET', '/ResourceTypes/User')).body).toMatchObject({ id: 'User', endpoint: '/Users' });
    expect(await entra.send('GET', '/Schemas/nothing')).toMatchObject(errorForm(404));
  });
});

describe('tokens', () => {
  const paths: [string, string][] = [
    ['GET', '/ServiceProviderConfig'],
    ['GET', '/Users'],
    ['POST', '/Users'],
    ['PATCH', `/Groups/${crypto.randomUUID()}`],
  ];

  test.each([
    ['none', () => null],
    ['a wrong one', () => `kbscim_${'x'.repeat(43)}`],
    ['the service key', () => app.serviceKey],
    ['its hash', () => 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['a part of it', () => entra.token.slice(0, -1)],
  ])('%s opens nothing', async (_name, token) => {
    for (const [method, path] of paths) {
      const answer = await sendScim(app, token(), method, path, method === 'GET' ? undefined : {});
      expect(answer).toMatchObject(errorForm(401));
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    }
  });

  test('an access token of an operator opens nothing here, and a provider’s nothing elsewhere', async () => {
    const operator = await makeOperator(app);
    expect(await sendScim(app, operator.token, 'GET', '/Users')).toMatchObject({ status: 401 });
    for (const path of ['/rest/v1/profiles', '/api/admin/providers', '/auth/v1/user'])
      expect((await app.request(path, { token: entra.token })).status).toBe(401);
  });

  test('a revoked one opens nothing from that moment on, and others of the provider still do', async () => {
    const operator = await makeOperator(app);
    const acme = await makeProvider(app, operator, 'Acme');
    const { token: second } = (await operator.ask('POST', `/providers/${acme.id}/tokens`)).body as { token: string };
    const listed = async () => {
      const { providers } = (await operator.ask('GET', '/providers')).body as {
        providers: { id: string; tokens: { id: string; prefix: string; last_used_at: string | null }[] }[];
      };
      return providers.find(({ id }) => id === acme.id)?.tokens ?? [];
    };
    const [first] = await listed();
    expect(first).toMatchObject({ prefix: acme.token.slice(0, 12), last_used_at: null });
    expect(await acme.send('GET', '/Users')).toMatchObject({ status: 200 });
    expect((await listed())[0]?.last_used_at).not.toBeNull();

    expect(await operator.ask('POST', `/provider-tokens/${first?.id}/revoke`)).toMatchObject({ status: 200 });
    expect(await acme.send('GET', '/Users')).toMatchObject({ status: 401 });
    expect(await sendScim(app, second, 'GET', '/Users')).toMatchObject({ status: 200 });
    expect(await listed()).toHaveLength(1);
    expect(await operator.ask('POST', `/provider-tokens/${first?.id}/revoke`)).toMatchObject({ status: 404 });

    const log = await app.sql<{ action: string }>(
      'select action from private.desk_log where subject_id = $1 order by id',
      [acme.id],
    );
    expect(log.map(({ action }) => action)).toEqual([
      ...['scim_provider_created', 'scim_token_created', 'scim_token_revoked'],
    ]);
  });

  test('are kept as hashes', async () => {
    const [row] = await app.sql<{ found: string }>(
      `select (select count(*) from private.scim_tokens t where to_jsonb(t)::text like '%' || $1 || '%')::text as found`,
      [entra.token.slice(12)],
    );
    expect(row?.found).toBe('0');
  });

  test('wrong ones are counted, and whoever tries many is held off', async () => {
    const limited = await startApp({ settings: { AUTH_LIMIT_EXEMPT: '' } });
    try {
      const statuses = new Set<number>();
      for (let tries = 0; tries < 62; tries++)
        statuses.add((await sendScim(limited, `kbscim_${tries}`, 'GET', '/Users')).status);
      expect([...statuses]).toEqual([401, 429]);
    } finally {
      await limited.close();
    }
  });
});

describe('versions', () => {
  test('are weak, the same in lists, and asked for again answered with 304', async () => {
    const { id, meta } = await entra.addUser('version@example.test');
    const path = `/Users/${id}`;
    const { headers, body } = await entra.send('GET', path);
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/".+"$/);
    expect([meta.version, body.meta.version]).toEqual([etag, etag]);
    const [listed] = (await entra.send('GET', `/Users?filter=id eq "${id}"`)).body.Resources;
    expect(listed.meta.version).toBe(etag);
    expect(await entra.send('GET', path, undefined, { 'if-none-match': etag })).toMatchObject({
      status: 304,
      body: null,
    });
    expect(await entra.send('GET', path, undefined, { 'if-none-match': `W/"x", ${etag}` })).toMatchObject({
      status: 304,
    });
    expect(await entra.send('GET', path, undefined, { 'if-none-match': 'W/"x"' })).toMatchObject({ status: 200 });
  });

  test('that are old refuse a change', async () => {
    const { id, meta } = await entra.addUser('changed@example.test');
    const path = `/Users/${id}`;
    const sent = { userName: 'changed@example.test', displayName: 'One' };
    const first = await entra.send('PUT', path, sent, { 'if-match': meta.version });
    expect(first.status).toBe(200);
    expect(first.headers.get('etag')).not.toBe(meta.version);
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect(
        await entra.send(method, path, method === 'DELETE' ? undefined : sent, { 'if-match': meta.version }),
      ).toMatchObject(errorForm(412));
    expect(await entra.send('DELETE', path, undefined, { 'if-match': '*' })).toMatchObject({ status: 204 });
  });

  test('of a group change with its members', async () => {
    const { id } = await entra.addUser('member@example.test');
    const group = await entra.addGroup('Versions');
    const path = `/Groups/${group.id}`;
    const match = { 'if-match': group.meta.version };
    const Operations = [{ op: 'add', path: 'members', value: [{ value: id }] }];
    expect(await entra.send('PATCH', path, { Operations }, match)).toMatchObject({ status: 204 });
    expect(await entra.send('PATCH', path, { Operations }, match)).toMatchObject({ status: 412 });
  });
});

describe('bodies', () => {
  test.each([
    ['no JSON', '{"userName":', 400],
    ['a list', '[]', 400],
    ['too deep', `{"userName":${'['.repeat(50)}${']'.repeat(50)}}`, 400],
    ['too large', `{"userName":"${'x'.repeat(2 * 1024 * 1024)}"}`, 413],
    ['nothing', '', 400],
    ['no userName', '{"displayName":"x"}', 400],
  ])('%s is refused in the form of SCIM', async (_name, body, status) => {
    const answer = await entra.send('POST', '/Users', body);
    expect(answer).toMatchObject(errorForm(status));
    expect(answer.headers.get('content-type')).toContain('application/scim+json');
  });

  test('as application/json are read too, forms are not', async () => {
    const sent = { userName: 'plain@example.test' };
    const as = (type: string) => entra.send('POST', '/Users', sent, { 'content-type': type });
    expect(await as('text/plain')).toMatchObject(errorForm(415));
    expect(await as('application/json')).toMatchObject({ status: 201 });
  });

  test('are not found elsewhere', async () => {
    for (const path of ['/Bulk', '/Me', '/Users/x', '/Groups/1', '/nothing'])
      expect(await entra.send('GET', path)).toMatchObject(errorForm(404));
  });
});

describe('the database role', () => {
  const as = (text: string) => app.asUser({ role: 'kanbase_scim' }, text);

  test.each([
    'select * from private.scim_tokens',
    'select * from private.scim_people',
    'select * from private.scim_groups',
    'select * from auth.users',
    'select * from public.groups',
    'select * from public.project_members',
    'select private.settle_scim_groups($${}$$, $${}$$)',
    'select private.activate_scim_user(gen_random_uuid(), false)',
    'select private.admin_scim()',
    'update private.scim_users set user_name = $$x$$',
  ])('%s', async (text) => {
    await expect(as(text)).rejects.toThrow(/permission denied|cannot update view/);
  });

  test('sees and changes nothing without a token', async () => {
    await entra.addUser('hidden@example.test');
    for (const view of ['scim_users', 'scim_group_list', 'scim_memberships'])
      expect(await as(`select * from private.${view}`)).toEqual([]);
    for (const call of [
      "private.save_scim_user(null, '{}')",
      "private.save_scim_group(null, '{}', '{}', '{}')",
      'private.remove_scim_user(gen_random_uuid())',
      'private.remove_scim_group(gen_random_uuid())',
      'private.lock_scim_user(gen_random_uuid())',
      'private.open_scim_token()',
    ])
      await expect(as(`select ${call}`)).rejects.toMatchObject({ sqlstate: 'KB851' });
  });
});
