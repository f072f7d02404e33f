// Secrets of people and operators appear in no line of the log, at its most talkative, however their requests end: a server with a secret
// in every setting that may hold one, asked at every door, well and badly.

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settings } from '../../server/config/config.ts';
import type { Setting } from '../../server/config/setting.ts';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { withDatabase } from '../../server/database/connection-url.ts';
import { generateKeySet } from '../../server/session/generate-key-set.ts';
import { openTestStore, type TestStore } from '../files/test-store.ts';
import { type FreshDatabase, freshDatabase } from '../helpers/fresh-database.ts';
import { runKanbase, type Served, scratch, startKanbase } from '../helpers/kanbase.ts';
import { Browser, type Issuer, startIssuer } from '../identity/issuer.ts';

const place = scratch('secrets');
let database: FreshDatabase;
let issuer: Issuer;
let bucket: TestStore;
let server: Served;
/** What must be nowhere, by what it is. */
const secrets = new Map<string, string>();
const keep = (what: string, value: string): string => {
  expect(value.length, what).toBeGreaterThan(7);
  secrets.set(what, value);
  return value;
};
let env: Record<string, string>;

beforeAll(async () => {
  [database, issuer, bucket] = await Promise.all([freshDatabase(), startIssuer(), openTestStore('s3')]);
  const keySet = await generateKeySet(null);
  keep('the private part of JWT_KEYS', keySet.keys[0]?.d ?? '');
  env = {
    DATABASE_URL: withPassword(database.url, keep('the password of DATABASE_URL', 'pool-kept-0123')),
    DATABASE_DIRECT_URL: withPassword(database.directUrl, keep('the password of the owner', 'owner-kept-0123')),
    // No replica, which is complained about.
    DATABASE_REPLICA_URL: withPassword(database.url, keep('the password of the replica', 'replica-kept-0123')),
    JWT_KEYS: JSON.stringify(keySet),
    ...bucket.settings,
    // Another one than the bucket knows: what is sent there is refused.
    STORAGE_S3_SECRET_ACCESS_KEY: keep('STORAGE_S3_SECRET_ACCESS_KEY', 'bucket-kept-0123'),
    AUTH_OIDC_NAME: 'acme',
    AUTH_OIDC_ISSUER: issuer.url,
    AUTH_OIDC_CLIENT_ID: 'kanbase',
    AUTH_OIDC_CLIENT_SECRET: keep('AUTH_OIDC_CLIENT_SECRET', 'acme-kept-0123'),
    AUTH_OIDC_MORE: JSON.stringify([
      {
        name: 'gone',
        issuer: 'http://127.0.0.1:9',
        clientId: 'kanbase',
        clientSecret: keep('one of AUTH_OIDC_MORE', 'gone-kept-0123'),
      },
    ]),
    DATA_DIR: place.path,
    LOG_LEVEL: 'trace',
    JWT_SECRET: keep('JWT_SECRET', 'jwt-kept-0123456789abcdef0123456789abcdef'),
    METRICS_TOKEN: keep('METRICS_TOKEN', 'metrics-kept-0123456789'),
    OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer%20${keep('OTEL_EXPORTER_OTLP_HEADERS', 'otel-kept-0123')}`,
    SMTP_URL: `smtp://kanbase:${keep('the password of SMTP_URL', 'smtp-kept-0123')}@127.0.0.1:9`,
    BILLING_SECRET_KEY: keep('BILLING_SECRET_KEY', 'sk_test_kept0123456789'),
    BILLING_WEBHOOK_SECRET: keep('BILLING_WEBHOOK_SECRET', 'whsec_kept0123456789'),
    BILLING_API_URL: 'http://127.0.0.1:9',
    BILLING_TIMEOUT_MS: '500',
    GOOGLE_CLIENT_ID: 'kanbase',
    GOOGLE_CLIENT_SECRET: keep('GOOGLE_CLIENT_SECRET', 'google-kept-0123'),
    GOOGLE_ISSUER: 'http://127.0.0.1:9',
    SECRET_KEYS: keep('SECRET_KEYS', 'sb_secret_kept0123456789'),
    BACKUP_PASSPHRASE: keep('BACKUP_PASSPHRASE', 'backup-kept-0123'),
    AUTH_AUTOCONFIRM: 'true',
  };
  const { stdout } = await runKanbase(['keys', '--json'], { env, cwd: place.path });
  env.SERVICE_ROLE_KEY = keep('the service key', (JSON.parse(stdout) as { service_role: string }).service_role);
  server = await startKanbase([], { env, cwd: place.path });
}, 60_000);
afterAll(async () => {
  await server?.stop();
  await database?.drop();
  await issuer?.close();
  await bucket?.close();
  place.remove();
});

/** A socket asks for none, and takes any. */
const withPassword = (url: string, password: string): string => url.replace('@', `:${password}@`);

/** Nobody gets into the database, and who is in is put out, until told otherwise. */
async function lockDatabase(): Promise<void> {
  const client = new pg.Client(connectionOptions(withDatabase(database.adminUrl, 'postgres')));
  await client.connect();
  await client.query(`alter database ${database.name} with allow_connections false`);
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database.name]);
  await client.end();
}

async function send(
  method: string,
  path: string,
  body?: unknown,
  token = server.anonKey,
  more: Record<string, string> = {},
) {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    redirect: 'manual',
    headers: { apikey: server.anonKey, authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    json: (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {}) as Record<string, string> & {
      user?: { id: string };
    },
  };
}

/** Out to the issuer and back with a code, and back once more, when it is worth nothing. */
async function signInByAcme(): Promise<void> {
  issuer.meet(1);
  const browser = new Browser();
  const out = await browser.visit(`${server.url}/auth/v1/authorize?provider=acme&redirect_to=/`);
  const atIssuer = await fetch(out.location, { redirect: 'manual' });
  const callback = new URL(atIssuer.headers.get('location') ?? '');
  keep('a code of the issuer', callback.searchParams.get('code') ?? '');
  const here = `${server.url}${callback.pathname}${callback.search}`;
  const back = await browser.visit(here);
  expect(back.location).toMatch(/access_token|code=/);
  await browser.visit(here);
}

test('no secret is in the log', { timeout: 120_000 }, async () => {
  const service = secrets.get('the service key') ?? '';
  const password = keep('a password', 'correct-horse-kept-0123');
  const wrong = keep('a wrong password', 'wrong-horse-kept-0123');
  const email = 'ada@example.test';
  const { json: session } = await send('POST', '/auth/v1/signup', { email, password, data: { name: 'Ada' } });
  const token = keep('an access token', session.access_token ?? '');
  const refresh = keep('a refresh token', session.refresh_token ?? '');
  // Well and badly, at each door.
  for (const body of [
    { email, password },
    { email, password: wrong },
    { email, password: { kept: password } },
    `{"password":"${password}"`,
  ])
    await send('POST', '/auth/v1/token?grant_type=password', body);
  const again = await send('POST', '/auth/v1/token?grant_type=refresh_token', { refresh_token: refresh });
  keep('the next refresh token', again.json.refresh_token ?? '');
  await send('POST', '/auth/v1/token?grant_type=refresh_token', { refresh_token: `${refresh}x` });
  await send('PUT', '/auth/v1/user', { password: keep('a new password', 'battery-staple-kept-0123') }, token);
  await send('POST', '/auth/v1/recover', { email });
  for (const path of ['verify', 'confirm'])
    await send(
      'GET',
      `/auth/v1/${path}?type=recovery&token=${keep(`a code at ${path}`, `code-kept-${path}`)}&redirect_to=/`,
    );
  await send('POST', '/auth/v1/verify', { type: 'email', email, token: keep('a code', 'code-kept-0123') });
  await send('GET', `/auth/callback?code=${keep('a code that is exchanged', 'exchange-kept-0123')}&next=/app`);
  const factor = await send('POST', '/auth/v1/factors', { factor_type: 'totp', friendly_name: 'phone' }, token);
  keep('the seed of a second factor', (factor.json.totp as unknown as { secret: string } | undefined)?.secret ?? '');
  const link = await send('POST', '/auth/v1/admin/generate_link', { type: 'magiclink', email }, service);
  keep('the token of a link', link.json.hashed_token ?? '');

  const made = await send('POST', '/rest/v1/rpc/create_project_with_defaults', { name: 'Harbour' }, token);
  const project_id = made.json.id ?? '';
  const guest = { project_id, email: 'bob@example.test', role: 'editor' };
  const invited = await send('POST', '/rest/v1/rpc/invite_member', guest, token);
  const invitation = keep('the token of an invitation', invited.json.token ?? '');
  const answerInvitation = async () => [
    await send('GET', `/invitation/${invitation}`),
    await send('POST', '/rest/v1/rpc/invitation_details', { token: invitation }),
    await send('POST', '/rest/v1/rpc/accept_invitation', { token: invitation }, token),
  ];
  await answerInvitation();
  const linked = await send('POST', '/rest/v1/rpc/create_join_link', { project_id, role: 'editor' }, token);
  const joinLink = keep('the token of a join link', linked.json.token ?? '');
  for (const name of ['join_link_details', 'join_by_link'])
    await send('POST', `/rest/v1/rpc/${name}`, { token: joinLink }, token);
  const feed = await send('POST', '/rest/v1/rpc/create_calendar_feed', { kind: 'project', project_id }, token);
  const secret = keep('the secret of a feed', feed.json.token ?? '');
  await send('GET', `/ical/${secret}.ics`);
  await send('GET', `/ical/${secret}x.ics`);
  for (const key of [service, secrets.get('SECRET_KEYS') ?? '', `${service}x`, `Bearer ${token}`]) {
    await send('GET', '/rest/v1/tasks?select=nothing', undefined, key);
    await send('POST', '/rest/v1/tasks', '{"broken', key);
    await send('GET', `/rest/v1/tasks?apikey=${key}&select=*`, undefined, key);
    await send('GET', '/auth/v1/admin/users?page=x', undefined, key);
    await send('GET', `/realtime/v1/websocket?apikey=${key}`, undefined, key);
    await send('GET', '/metrics', undefined, key);
  }
  await send('GET', '/metrics', undefined, secrets.get('METRICS_TOKEN'), { 'x-forwarded-for': '10.0.0.1' });
  const signed = await send('POST', '/storage/v1/object/sign/avatars/none.png', { expiresIn: 60 }, service);
  await send(
    'GET',
    `/storage/v1/object/sign/avatars/none.png?token=${keep('a signed address', 'eyJhbGciOiJIUzI1NiJ9.eyJ1cmwiOiJ4In0.kept0123456789')}`,
  );
  if (signed.json.signedURL) keep('an address that was signed', signed.json.signedURL.split('token=')[1] ?? '');
  await send(
    'POST',
    '/api/billing/create-checkout',
    { priceId: 'p', successUrl: server.url, cancelUrl: server.url, mode: 'payment' },
    token,
  );
  await send('POST', '/api/webhook/billing', '{}', token, {
    'stripe-signature': `t=1,v1=${keep('a signature', 'f00dkept0123456789')}`,
  });
  await send('GET', '/auth/v1/authorize?provider=google&redirect_to=/');
  await send('GET', '/auth/v1/authorize?provider=gone&redirect_to=/');
  await signInByAcme();
  await send('POST', `/storage/v1/object/avatars/${session.user?.id}/face.txt`, '"kept in no bucket"', token);
  const wayOut = `/api/unsubscribe?token=${session.user?.id}.${keep('a way out of mails', 'unsubscribe-kept-0123')}`;
  for (const method of ['GET', 'POST']) await send(method, wayOut);
  await send('POST', '/api/admin/claim', { token: keep('a claim of the admin pages', 'claim-kept-0123456789') }, token);
  await send('GET', '/app', undefined, token, {
    cookie: `sb-auth-token=base64-${keep('a cookie', 'eyJhY2Nlc3NfdG9rZW4iOiJrZXB0In0')}`,
  });
  await send('POST', '/auth/v1/logout', undefined, token);
  // The same words again while nobody gets into the database, and once the server ends.
  await lockDatabase();
  const inTrouble = [
    await send('POST', '/auth/v1/token?grant_type=password', { email, password }),
    await send('POST', '/auth/v1/token?grant_type=refresh_token', { refresh_token: refresh }),
    await send('PUT', '/auth/v1/user', { password }, token),
    await send('GET', '/rest/v1/tasks?select=id', undefined, service),
    await send('POST', '/storage/v1/object/sign/avatars/none.png', { expiresIn: 60 }, service),
    await send('GET', `/ical/${secret}.ics`),
  ];
  expect(inTrouble.map(({ status }) => status).filter((status) => status < 500)).toEqual([]);
  await answerInvitation();
  await send('POST', wayOut);
  const { stderr } = await server.stop();
  expect(stderr.split('\n').length).toBeGreaterThan(20);
  expect([...secrets].filter(([, value]) => stderr.includes(value)).map(([what]) => what)).toEqual([]);
});

test('every setting that holds a secret has one here', () => {
  const all = Object.values(settings).flatMap((room) => Object.values(room as Record<string, Setting<unknown>>));
  const named = all.filter(({ secret }) => secret === true).map(({ env: name }) => name);
  expect(named.filter((name) => env[name] === undefined)).toEqual([]);
});
