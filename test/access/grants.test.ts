// Tests that everything which opens without a session has a row in public.access_grants and ends, at once, with a new password, a sign-out everywhere, a
// membership, a ban, a reset by an administrator and the end of the account. A new way without a row fails here.

import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
// Sets a variable of the environment when it is loaded: before this file is looked at.
import 'sharp';
import { startExports } from '../../server/exports/start-exports.ts';
import { openForExports } from '../../server/files/open-for-exports.ts';
import { makeOperator, type Operator } from '../admin/operator.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addMember, makeProject, one } from '../sql/board.ts';
import {
  allWays,
  type Member,
  makeAll,
  makeClosedBucket,
  makeMember,
  ok,
  openOnes,
  ways,
  waysApart,
} from './access-without-session.ts';

let olga: Operator;
let owner: TestUser;
let project: string;

const app = forSuite(() => startApp({ settings: { RATE_LIMITS: 'false' } }));
const exports = forSuite(async () => startExports(app.services, await openForExports(app.services.config)));
beforeAll(async () => {
  olga = await makeOperator(app);
  owner = await app.createUser({ name: 'Ada' });
  ({ project } = await makeProject(app, owner, 'Harbour'));
  await makeClosedBucket(app);
});

const admin = () => app.client({ key: app.serviceKey }).auth.admin;

const newMember = () =>
  makeMember(app, { project, exports, join: (person) => addMember(app, project, person, 'editor') });

const newPassword = 'another long password, later';
const orThrow = ({ status }: { status: number }) => expect(status).toBe(200);
const ends: Readonly<Record<string, (member: Member) => Promise<unknown>>> = {
  'a new password': ({ client }) => ok(client.auth.updateUser({ password: newPassword })),
  'a global sign-out': async ({ client }) => expect((await client.auth.signOut()).error).toBeNull(),
  'a sign-out of all other devices': async ({ client }) =>
    expect((await client.auth.signOut({ scope: 'others' })).error).toBeNull(),
  'a password that an administrator set': ({ id }) => ok(admin().updateUserById(id, { password: newPassword })),
  'a sign-out by an operator': async ({ id }) => orThrow(await olga.ask('POST', `/accounts/${id}/sign-out`, {})),
  'a reset of factors by an operator': async ({ id }) =>
    orThrow(await olga.ask('POST', `/accounts/${id}/reset-factors`, {})),
  'a ban': ({ id }) => ok(admin().updateUserById(id, { ban_duration: '1h' })),
  'an operator who disables the account': async ({ id }) =>
    orThrow(await olga.ask('POST', `/accounts/${id}/disable`, {})),
  'deletion by an administrator': ({ id }) => ok(admin().deleteUser(id)),
  'soft deletion by an administrator': ({ id }) => ok(admin().deleteUser(id, true)),
  'deletion by an operator': async ({ id, email }) =>
    orThrow(await olga.ask('POST', `/accounts/${id}/delete`, { email })),
  'deletion by the person': async ({ client, email }) =>
    expect((await client.rpc('delete_my_account', { email })).error).toBeNull(),
  'End, by the person': ({ client, id }) => one(client.from('access_grants').delete().eq('user_id', id).select()),
};

describe('all of it ends with', () => {
  test.each(Object.keys(ends))('%s', async (end) => {
    const member = await newMember();
    const made = await makeAll(app, member);
    expect(await openOnes(made)).toEqual(allWays);
    await ends[end]?.(member);
    expect(await openOnes(made)).toEqual([]);
  });

  test('a membership, as far as it is of the project; coming back opens nothing of before', async () => {
    const member = await newMember();
    const made = await makeAll(app, member);
    await one(
      owner.client.from('project_members').delete().match({ project_id: project, user_id: member.id }).select(),
    );
    expect(await openOnes(made)).toEqual(waysApart);
    await addMember(app, project, member, 'editor');
    expect(await openOnes(made)).toEqual(waysApart);
  });
});

test('a lifted ban opens nothing again, and a lifted one lets new ones be made', async () => {
  const member = await newMember();
  const made = await makeAll(app, member);
  await ok(admin().updateUserById(member.id, { ban_duration: '1h' }));
  await ok(admin().updateUserById(member.id, { ban_duration: 'none' }));
  expect(await openOnes(made)).toEqual([]);
  const client = app.client();
  await ok(client.auth.signInWithPassword({ email: member.email, password: member.password }));
  const token = (await client.auth.getSession()).data.session?.access_token ?? '';
  expect(await openOnes(await makeAll(app, { ...member, client, token }))).toEqual(allWays);
});

test('signing in and a local sign-out end nothing', async () => {
  const member = await newMember();
  const made = await makeAll(app, member);
  await ok(app.client().auth.signInWithPassword({ email: member.email, password: member.password }));
  // A session's own uploads and zips ask for that session.
  await member.client.auth.signOut({ scope: 'local' });
  expect(await openOnes(made)).toEqual(allWays.filter((name) => !/zip|upload/.test(name)));
});

test('a person reads what opens with their rights, and nobody else does', async () => {
  const member = await newMember();
  const made = await makeAll(app, member);
  const listed = async (client: TestUser['client']) =>
    (await one(client.from('access_grants').select('kind,bucket_id,project_id,last_used_at'))) as {
      kind: string;
      last_used_at: string | null;
    }[];
  const mine = await listed(member.client);
  expect(new Set(mine.map(({ kind }) => kind))).toEqual(new Set(Object.values(ways).map(({ kind }) => kind)));
  expect((await listed(owner.client)).filter((row) => mine.includes(row))).toEqual([]);
  await openOnes(made);
  await expect
    .poll(async () =>
      (await listed(member.client)).filter(({ kind, last_used_at }) => kind.endsWith('feed') && last_used_at === null),
    )
    .toEqual([]);
});

describe('the list of ways is complete', () => {
  /** Secrets that a stranger could bring: each is made of a key, or compared with a hash that is stored. */
  const keys: Readonly<Record<string, string>> = {
    'signed downloads': 'file_link',
    'signed uploads': 'upload_link',
    'signed zips': 'folder_link',
    'callers of signed uploads': 'upload_link',
    'unsubscribe from mail': 'unsubscribe_link',
    'refresh tokens': 'a session',
    'refresh tokens of programs': 'a session of a program, until the grant ends (test/identity/oauth)',
    'sealed values': 'a session that is being opened, for minutes',
    'known devices': 'opens nothing: fewer guesses are counted',
    'accounts that are not there': 'opens nothing',
    mail: 'seals the queue in the database',
    'mcp sessions': 'ids of sessions at /mcp, which open nothing by themselves (test/mcp/sessions)',
    'push keys': 'seals keys in the database',
    'webhook secrets': 'seals secrets in the database',
    'stored settings': 'seals settings in the database',
    'inbox of kept mail': 'the inbox of a server without mail, for whoever reads its start banner',
  };
  const hashes: Readonly<Record<string, string>> = {
    'private.api_key_secrets.token_hash':
      'a key of a person: ends with password, ban and account (test/identity/api-keys.test.ts)',
    'private.calendar_feed_tokens.token_hash': 'calendar_feed',
    'private.invitation_tokens.token_hash':
      'an invitation: ends with the ownership of who sent it (test/sql/invitations.test.ts)',
    'private.join_link_tokens.token_hash':
      'a join link: ends with the ownership of who made it (test/sql/join-links.test.ts)',
    'private.share_link_secrets.token_hash':
      'a public link: ends with the ownership of who made it (test/sql/share-links.test.ts)',
    'private.share_link_secrets.password_hash': 'is asked for beside the token of a public link',
    'private.operator_links.token_hash': 'is claimed with a session',
    'private.scim_tokens.token_hash': 'a provider’s own people and groups, until an operator revokes it',
    'auth.one_time_tokens.token_hash': 'proves a mailbox, and opens a session (test/identity/open-proofs.test.ts)',
    'auth.one_time_tokens.code_hash': 'the same, typed',
    'auth.flow_state.auth_code_hash': 'opens a session, within minutes (test/identity/open-proofs.test.ts)',
    'auth.oauth_authorizations.code_hash': 'opens a session of a program, once (test/identity/oauth)',
    'auth.oauth_authorizations.device_code_hash': 'the same, on a device',
    'auth.oauth_authorizations.user_code_hash': 'is entered with a session',
    'auth.oauth_clients.secret_hash': 'a program’s own, beside a code',
    'auth.mfa_recovery_codes.code_hash': 'lifts a session, once (test/identity/recovery-codes.test.ts)',
    'auth.flow_state.state_hash': 'comes back from an outside issuer, within minutes',
  };
  const signsIn = 'opens a session, for who proves a mailbox or an account elsewhere';
  const says = 'tells nothing of anybody';
  const openRoutes: Readonly<Record<string, string>> = {
    'get /storage/v1/object/sign/{bucket}/{path}': 'file_link',
    'get /storage/v1/render/image/sign/{bucket}/{path}': 'file_link',
    'put /storage/v1/object/upload/sign/{bucket}/{path}': 'upload_link',
    'post /storage/v1/upload/resumable/sign': 'upload_link',
    'patch /storage/v1/upload/resumable/sign/{upload}': 'upload_link',
    'delete /storage/v1/upload/resumable/sign/{upload}': 'upload_link',
    'get /storage/v1/object/public/{bucket}/{path}': 'a public bucket',
    'get /storage/v1/object/info/public/{bucket}/{path}': 'a public bucket',
    'get /storage/v1/render/image/public/{bucket}/{path}': 'a public bucket',
    'get /auth/callback': signsIn,
    'get /auth/v1/authorize': signsIn,
    'get /auth/v1/callback': signsIn,
    'post /auth/v1/callback': signsIn,
    'get /auth/v1/confirm': signsIn,
    'post /auth/v1/confirm': signsIn,
    'get /auth/v1/verify': signsIn,
    'get /auth/v1/.well-known/jwks.json': says,
    'get /auth/v1/.well-known/openid-configuration': says,
    'get /auth/v1/.well-known/oauth-authorization-server': says,
    'get /.well-known/oauth-authorization-server': says,
    'get /.well-known/oauth-authorization-server/auth/v1': says,
    'get /.well-known/openid-configuration': says,
    'get /.well-known/openid-configuration/auth/v1': says,
    'get /.well-known/oauth-protected-resource': says,
    'get /.well-known/oauth-protected-resource/mcp': says,
    'get /.well-known/oauth-protected-resource/rest/v1': says,
    'get /.well-known/oauth-protected-resource/realtime/v1': says,
    'get /.well-known/oauth-protected-resource/storage/v1': says,
    'get /auth/v1/oauth/authorize': 'a person with a session consents (test/identity/oauth)',
    'post /auth/v1/oauth/token': 'a code, a refresh token or a device’s code of a program (test/identity/oauth)',
    'post /auth/v1/oauth/revoke': 'ends what its token opens',
    'post /auth/v1/oauth/device_authorization': 'a person with a session consents',
    'get /auth/v1/health': says,
    'get /api/settings': says,
    'get /health': says,
    'get /ready': says,
    'get /ical/{file}': 'calendar_feed',
    'get /realtime/v1/api/ping': says,
    'get /openapi.json': says,
    'post /api/lead': says,
    'get /metrics': 'a token of the settings',
    'post /api/billing/webhook': 'signed by the payment provider',
    'post /api/webhook/billing': 'signed by the payment provider',
  };

  test('keys that are derived in the code', () => {
    const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const found = files.flatMap((name) =>
      [...readFileSync(`server/${name}`, 'utf8').matchAll(/deriveKey\(\s*'([^']+)'/g)].map(([, purpose]) => purpose),
    );
    expect([...new Set(found)].sort()).toEqual(Object.keys(keys).sort());
  });

  test('hashes that are stored', async () => {
    const rows = await app.sql<{ name: string }>(
      `select table_schema || '.' || table_name || '.' || column_name as name from information_schema.columns
       where table_schema in ('public', 'private', 'auth', 'billing', 'storage') and column_name ~ '_hash$' order by 1`,
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(hashes).sort());
  });

  test('addresses of the API that ask for no session', async () => {
    const { paths } = (await (await app.request('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { security?: unknown[] }>>;
    };
    const found = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { security }]) =>
        security?.length === 0 ? [`${method} ${path}`] : [],
      ),
    );
    expect(found.sort()).toEqual(Object.keys(openRoutes).sort());
  });

  test('kinds that the table knows', async () => {
    const [row] = await app.sql<{ text: string }>(
      `select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'access_grants_kind_known'`,
    );
    const known = [...(row?.text ?? '').matchAll(/'(\w+)'/g)].map(([, kind]) => kind);
    expect(new Set(known)).toEqual(new Set(Object.values(ways).map(({ kind }) => kind)));
    const named = [keys, hashes, openRoutes]
      .flatMap((list) => Object.values(list))
      .filter((way) => /^\w+_(link|feed)$/.test(way));
    expect(new Set(named)).toEqual(new Set(known));
  });
});
