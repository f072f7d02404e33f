// Second factors and passkeys, with the official client and authenticators in software.

import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { whileHeld } from '../helpers/while-held.ts';
import { bareTask } from '../sql/board.ts';
import { Authenticator } from './authenticator.ts';

const app = forSuite(() => startApp({ settings: { AUTH_ANONYMOUS: 'true', AUTH_LIMIT_FACTOR: '0' } }));

const password = 'secret1';
let count = 0;

async function member() {
  count += 1;
  const email = `two${count}@example.test`;
  const client = app.client();
  const { data, error } = await client.auth.signUp({ email, password });
  expect(error).toBeNull();
  return { client, email, id: data.user?.id ?? '' };
}

function codeOf(uri: string, stepsAway = 0): string {
  const totp = new TOTP({ secret: new URL(uri).searchParams.get('secret') ?? '' });
  return totp.generate({ timestamp: Date.now() + stepsAway * 30_000 });
}

async function enrolled() {
  const one = await member();
  const { data, error } = await one.client.auth.mfa.enroll({
    factorType: 'totp',
    friendlyName: 'Phone',
    issuer: 'Kanbase',
  });
  expect(error).toBeNull();
  if (data?.type !== 'totp') throw new Error('no TOTP factor');
  const verified = await one.client.auth.mfa.challengeAndVerify({
    factorId: data.id,
    code: codeOf(data.totp.uri, -1),
  });
  expect(verified.error).toBeNull();
  return { ...one, factorId: data.id, uri: data.totp.uri, qr: data.totp.qr_code, session: verified.data };
}

function claimsOf(token: string | undefined): Record<string, unknown> {
  return JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString());
}

describe('an authenticator app', () => {
  test('enrol, answer, and the token says aal2', async () => {
    const { client, uri, qr, session, factorId } = await enrolled();
    expect(uri).toMatch(/^otpauth:\/\/totp\/Kanbase:two/);
    expect(qr).toMatch(/^data:image\/svg\+xml;utf-8,<svg/);
    expect(claimsOf(session?.access_token)).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'totp' }, { method: 'password' }],
    });
    const { data: list } = await client.auth.mfa.listFactors();
    expect(list?.totp).toMatchObject([{ id: factorId, status: 'verified', friendly_name: 'Phone' }]);
    const refreshed = await client.auth.refreshSession();
    expect(claimsOf(refreshed.data.session?.access_token).aal).toBe('aal2');
  });

  test('the next sign-in is aal1 until the code is given; a code is good once', async () => {
    const { email, uri, factorId } = await enrolled();
    const client = app.client();
    await client.auth.signInWithPassword({ email, password });
    const { data: level } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
    expect((await client.auth.updateUser({ password: 'another one' })).error?.code).toBe('insufficient_aal');
    const thief = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Thief' });
    expect(thief.error).toMatchObject({ code: 'insufficient_aal', status: 403 });
    expect((await client.auth.mfa.unenroll({ factorId })).error?.code).toBe('insufficient_aal');

    const code = codeOf(uri);
    expect((await client.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
    const again = await client.auth.mfa.challengeAndVerify({ factorId, code });
    expect(again.error).toMatchObject({ code: 'mfa_verification_failed', status: 422 });
    expect((await client.auth.mfa.unenroll({ factorId })).data).toEqual({ id: factorId });
    expect(claimsOf((await client.auth.refreshSession()).data.session?.access_token).aal).toBe('aal1');
  });

  test('wrong codes, used and foreign challenges, unknown factors', async () => {
    const { client, factorId, uri } = await enrolled();
    const { data: challenge } = await client.auth.mfa.challenge({ factorId });
    const challengeId = challenge?.id ?? '';
    const wrong = await client.auth.mfa.verify({ factorId, challengeId, code: 'nonsense' });
    expect(wrong.error?.code).toBe('mfa_verification_failed');
    expect((await client.auth.mfa.verify({ factorId, challengeId, code: codeOf(uri) })).error).toBeNull();
    const used = await client.auth.mfa.verify({ factorId, challengeId, code: codeOf(uri, 1) });
    expect(used.error?.code).toBe('mfa_challenge_expired');

    const other = await enrolled();
    const code = codeOf(other.uri);
    const foreign = await other.client.auth.mfa.verify({ factorId: other.factorId, challengeId, code });
    expect(foreign.error?.code).toBe('mfa_factor_not_found');
    expect((await other.client.auth.mfa.challenge({ factorId })).error).toMatchObject({
      code: 'mfa_factor_not_found',
      status: 404,
    });
  });

  test('names are taken once, anonymous people and phones have none', async () => {
    const { client } = await member();
    await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Same' });
    const second = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Same' });
    expect(second.error?.code).toBe('mfa_factor_name_conflict');
    const phone = await client.auth.mfa.enroll({ factorType: 'phone', phone: '+1', friendlyName: 'P' });
    expect(phone.error?.code).toBe('mfa_phone_enroll_not_enabled');
    const nobody = app.client();
    await nobody.auth.signInAnonymously();
    const refused = await nobody.auth.mfa.enroll({ factorType: 'totp' });
    expect(refused.error).toMatchObject({ code: 'no_authorization', status: 403 });
  });

  test('the first verified factor ends the sessions that never used one', async () => {
    const { client, email } = await member();
    const elsewhere = app.client();
    await elsewhere.auth.signInWithPassword({ email, password });
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp' });
    if (data?.type !== 'totp') throw new Error('no TOTP factor');
    await client.auth.mfa.challengeAndVerify({ factorId: data.id, code: codeOf(data.totp.uri) });
    expect((await elsewhere.auth.refreshSession()).error?.code).toBe('refresh_token_not_found');
    expect((await client.auth.getUser()).error).toBeNull();
  });

  test('a long name of the issuer is cut between characters', async () => {
    const { client } = await member();
    const { data, error } = await client.auth.mfa.enroll({
      factorType: 'totp',
      issuer: `${'a'.repeat(99)}\u{1F600}\u{1F600}`,
    });
    expect(error).toBeNull();
    expect(data?.type === 'totp' && new URL(data.totp.uri).searchParams.get('issuer')).toBe(
      `${'a'.repeat(99)}\u{1F600}`,
    );
  });

  test('the secret rests sealed', async () => {
    const { uri, factorId } = await enrolled();
    const [row] = await app.sql<{ secret: string }>('select secret from auth.mfa_factors where id = $1', [factorId]);
    expect(row?.secret).not.toContain(new URL(uri).searchParams.get('secret'));
  });
});

describe('a password alone, where there is a second factor', () => {
  const ofNoProject = [
    ['saved_views', { name: 'Mine' }],
    ['templates', { name: 'Mine', kind: 'task', body: bareTask }],
  ] as const;

  async function withBoard() {
    const owner = await enrolled();
    const { data: project, error } = await owner.client.rpc('create_project_with_defaults', { name: 'Board' });
    expect(error).toBeNull();
    for (const [table, row] of ofNoProject)
      expect([table, (await owner.client.from(table).insert(row)).error]).toEqual([table, null]);
    const mate = await member();
    await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
      project.id,
      mate.id,
    ]);
    await app.sql(`insert into public.notifications (user_id, kind, project_id) values ($1, 'invited', $2)`, [
      owner.id,
      project.id,
    ]);
    const thief = app.client();
    const { data } = await thief.auth.signInWithPassword({ email: owner.email, password });
    return { ...owner, project, mate, thief, token: data.session?.access_token ?? '' };
  }

  test('shows nothing of the boards and changes nothing on them, until the code is given', async () => {
    const { client, thief, id, mate, project, token, factorId, uri } = await withBoard();
    expect(claimsOf(token)).toMatchObject({ aal: 'aal1', mfa_pending: true });
    for (const [table, row] of ofNoProject)
      expect([table, (await thief.from(table).insert(row)).error?.code]).toEqual([table, '42501']);
    for (const table of [
      'projects',
      'project_members',
      'workflow_columns',
      'tasks',
      'notifications',
      'saved_views',
      'templates',
    ])
      expect([table, (await thief.from(table).select('*')).data]).toEqual([table, []]);
    // Their own name, for the page that asks for the code; nobody else's.
    expect((await thief.from('profiles').select('id')).data).toEqual([{ id }]);
    expect((await thief.from('profiles').update({ display_name: 'Owned' }).eq('id', id)).error?.code).toBe('42501');
    expect((await thief.from('projects').delete().eq('id', project.id).select()).data).toEqual([]);
    const task = await thief.from('tasks').insert({ project_id: project.id, title: 'Mine now' });
    expect(task).toMatchObject({ status: 403, error: { code: '42501' } });
    const refusals = {
      create_project_with_defaults: { name: 'Another' },
      invite_member: { project_id: project.id, email: 'thief@evil.test', role: 'owner' },
      accept_invitation: { token: 'guess' },
      join_by_link: { token: 'guess' },
      leave_project: { project_id: project.id },
      move_task: { task_id: project.id },
      dashboard_metrics: { project_id: project.id },
      search_tasks: { query: 'x', project_id: project.id },
    };
    for (const [name, args] of Object.entries(refusals)) {
      const { status, error } = await thief.rpc(name, args);
      expect([name, status, error?.code, error?.hint]).toEqual([
        name,
        403,
        'KB006',
        'Answer a challenge of one of its factors, then repeat the request with the new token.',
      ]);
    }
    expect((await thief.rpc('current_project_role', { project_id: project.id })).data).toBeNull();
    expect((await thief.rpc('my_billing')).data).toEqual((await mate.client.rpc('my_billing')).data);

    expect((await thief.auth.mfa.challengeAndVerify({ factorId, code: codeOf(uri) })).error).toBeNull();
    const { data: session } = await thief.auth.getSession();
    expect(claimsOf(session.session?.access_token)).not.toHaveProperty('mfa_pending');
    expect((await thief.from('projects').select('id')).data).toEqual([{ id: project.id }]);
    expect((await thief.from('profiles').select('id')).data).toHaveLength(2);
    expect((await client.from('notifications').select('kind')).data).toHaveLength(1);
  });

  test('changes nothing of the account, opens no bills, and signs out nobody but itself', async () => {
    const { client, thief, token } = await withBoard();
    expect((await thief.auth.updateUser({ data: { name: 'Owned' } })).error?.code).toBe('insufficient_aal');
    expect((await thief.auth.passkey.startRegistration()).error?.code).toBe('insufficient_aal');
    const portal = await app.request('/api/billing/create-portal', { method: 'POST', token, body: '{}' });
    expect(portal.status).toBe(401);
    expect((await thief.auth.getUser()).error).toBeNull();
    expect((await thief.auth.signOut({ scope: 'global' })).error).toBeNull();
    expect((await app.request('/auth/v1/user', { token })).status).toBe(401);
    expect((await client.auth.refreshSession()).error).toBeNull();
  });

  test('a first factor, enrolled and proven, shuts nobody out of the session that did it', async () => {
    const { client } = await member();
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp' });
    if (data?.type !== 'totp') throw new Error('no TOTP factor');
    const made = await client.rpc('create_project_with_defaults', { name: 'While enrolling' });
    expect(made.error).toBeNull();
    await client.auth.mfa.challengeAndVerify({ factorId: data.id, code: codeOf(data.totp.uri) });
    expect((await client.from('projects').select('id')).data).toHaveLength(1);
    await client.auth.mfa.unenroll({ factorId: data.id });
    const { data: next } = await client.auth.refreshSession();
    expect(claimsOf(next.session?.access_token)).toMatchObject({ aal: 'aal1' });
    expect((await client.from('projects').select('id')).data).toHaveLength(1);
  });
});

/** The client talks to the browser's authenticator; here the same requests are made by hand. */
const call = (token: string | undefined, method: string, path: string, body: unknown) =>
  app.call(method, `/auth/v1${path}`, body, token);

describe('a factor that was begun and never verified, where another one is', () => {
  /** An account with a verified app and a key that nobody has answered yet; a session with the password alone. */
  async function withUnfinished(type: 'webauthn' | 'totp') {
    const owner = await enrolled();
    const { data: factor, error } = await owner.client.auth.mfa.enroll({ factorType: type, friendlyName: 'Later' });
    expect(error).toBeNull();
    const thief = app.client();
    const { data } = await thief.auth.signInWithPassword({ email: owner.email, password });
    const uri = factor?.type === 'totp' ? factor.totp.uri : '';
    return { ...owner, unfinished: factor?.id ?? '', uri, thief, token: data.session?.access_token };
  }

  const owed = { status: 403, body: { code: 'insufficient_aal' } };

  test('is not asked, answered or taken away with the password alone', async () => {
    const { client, unfinished, token } = await withUnfinished('webauthn');
    const webauthn = { rpId: 'localhost' };
    expect(await call(token, 'POST', `/factors/${unfinished}/challenge`, { webauthn })).toMatchObject(owed);
    // A question that its owner asked is not theirs to answer either.
    const own = (await client.auth.getSession()).data.session?.access_token;
    const { body } = await call(own, 'POST', `/factors/${unfinished}/challenge`, { webauthn });
    const device = new Authenticator('http://localhost:5173');
    const credential_response = device.create(body.webauthn.credential_options.publicKey);
    const answer = { challenge_id: body.id, webauthn: { type: 'create', credential_response } };
    expect(await call(token, 'POST', `/factors/${unfinished}/verify`, answer)).toMatchObject(owed);
    expect(await call(token, 'DELETE', `/factors/${unfinished}`, undefined)).toMatchObject(owed);
    expect(await call(own, 'POST', `/factors/${unfinished}/verify`, answer)).toMatchObject({ status: 200 });
  });

  test('nor an app whose secret the thief knows, enrolled before the owner was done', async () => {
    const { thief, unfinished, uri } = await withUnfinished('totp');
    const { error } = await thief.auth.mfa.challengeAndVerify({ factorId: unfinished, code: codeOf(uri) });
    expect(error).toMatchObject({ status: 403, code: 'insufficient_aal' });
  });

  test('nor when the owner’s answer comes while the thief’s is on its way', async () => {
    const { client: thief, email, id } = await member();
    const owner = app.client();
    await owner.auth.signInWithPassword({ email, password });
    const theirs = await owner.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Own' });
    const { data } = await thief.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Thief' });
    if (data?.type !== 'totp') throw new Error('no TOTP factor');
    const answer = await whileHeld({
      ...{ app, row: 'select from auth.users where id = $1', id },
      ask: () => thief.auth.mfa.challengeAndVerify({ factorId: data.id, code: codeOf(data.totp.uri) }),
      meanwhile: (held) =>
        held.query(`update auth.mfa_factors set status = 'verified' where id = $1`, [theirs.data?.id]),
    });
    expect(answer.error).toMatchObject({ status: 403, code: 'insufficient_aal' });
  });
});

describe('a factor that is taken away', () => {
  test('ends the other sessions that used it, at every door; the one that did it goes on without', async () => {
    const { client, email, factorId, uri } = await enrolled();
    const other = app.client();
    await other.auth.signInWithPassword({ email, password });
    expect((await other.auth.mfa.challengeAndVerify({ factorId, code: codeOf(uri) })).error).toBeNull();
    const token = (await other.auth.getSession()).data.session?.access_token;
    expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull();
    expect((await call(token, 'GET', '/user', undefined)).status).toBe(401);
    await expect.poll(async () => (await app.call('GET', '/rest/v1/projects', undefined, token)).status).toBe(401);
    expect((await client.auth.refreshSession()).error).toBeNull();
  });

  test('is no second factor any more, whatever an access token of before says', async () => {
    const { client, factorId } = await enrolled();
    const { data: second } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Second' });
    if (second?.type !== 'totp') throw new Error('no TOTP factor');
    await client.auth.mfa.challengeAndVerify({ factorId: second.id, code: codeOf(second.totp.uri) });
    expect((await client.auth.mfa.unenroll({ factorId: second.id })).error).toBeNull();
    expect(claimsOf((await client.auth.getSession()).data.session?.access_token)).toMatchObject({ aal: 'aal2' });
    expect((await client.auth.mfa.unenroll({ factorId })).error?.code).toBe('insufficient_aal');
    expect((await client.auth.updateUser({ password: 'another one' })).error?.code).toBe('insufficient_aal');
  });
});

describe('a passkey as second factor', () => {
  test('enrol, answer, answer again', async () => {
    const { client } = await member();
    const device = new Authenticator('http://localhost:5173');
    const { data: factor, error } = await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' });
    expect(error).toBeNull();
    const factorId = factor?.id ?? '';
    for (const type of ['create', 'request'] as const) {
      const token = (await client.auth.getSession()).data.session?.access_token;
      const challenge = await call(token, 'POST', `/factors/${factorId}/challenge`, {
        webauthn: { rpId: 'localhost' },
      });
      expect(challenge.body).toMatchObject({ type: 'webauthn', webauthn: { type } });
      const { publicKey } = challenge.body.webauthn.credential_options;
      const credential_response = type === 'create' ? device.create(publicKey) : device.get(publicKey);
      const verified = await call(token, 'POST', `/factors/${factorId}/verify`, {
        challenge_id: challenge.body.id,
        webauthn: { type, rpId: 'localhost', rpOrigins: ['http://localhost:5173'], credential_response },
      });
      expect(verified.status).toBe(200);
      expect(claimsOf(verified.body.access_token)).toMatchObject({
        aal: 'aal2',
        amr: [{ method: 'mfa/webauthn' }, { method: 'password' }],
      });
      await client.auth.setSession(verified.body);
    }
    const { data: list } = await client.auth.mfa.listFactors();
    expect(list?.webauthn).toMatchObject([{ id: factorId, status: 'verified' }]);
  });
});

describe('a passkey that signs in', () => {
  async function registered() {
    const one = await member();
    const device = new Authenticator(new URL(app.services.siteUrl).origin);
    const { data: start, error } = await one.client.auth.passkey.startRegistration();
    expect(error).toBeNull();
    const done = await one.client.auth.passkey.verifyRegistration({
      challengeId: start?.challenge_id ?? '',
      credential: device.create(start?.options as never) as never,
    });
    expect(done.error).toBeNull();
    return { ...one, device, passkeyId: done.data?.id ?? '' };
  }

  test('register, sign in, rename, remove', async () => {
    const { client, device, id, passkeyId } = await registered();
    const stranger = app.client();
    const { data: start } = await stranger.auth.passkey.startAuthentication();
    const signed = await stranger.auth.passkey.verifyAuthentication({
      challengeId: start?.challenge_id ?? '',
      credential: device.get(start?.options as never) as never,
    });
    expect(signed.error).toBeNull();
    expect(signed.data?.user?.id).toBe(id);
    expect(claimsOf(signed.data?.session?.access_token).amr).toMatchObject([{ method: 'passkey' }]);

    const renamed = await client.auth.passkey.update({ passkeyId, friendlyName: 'Laptop' });
    expect(renamed.data).toMatchObject({ friendly_name: 'Laptop' });
    const { data: list } = await client.auth.passkey.list();
    expect(list).toMatchObject([{ id: passkeyId, friendly_name: 'Laptop' }]);
    expect(list?.[0]?.last_used_at).toBeTruthy();
    expect((await client.auth.passkey.delete({ passkeyId })).error).toBeNull();
    expect((await client.auth.passkey.delete({ passkeyId })).error).toMatchObject({ status: 404 });
  });

  test('a challenge is good once, the counter never goes back, other origins and keys do not count', async () => {
    const { device } = await registered();
    const start = async () => (await call(undefined, 'POST', '/passkeys/authentication/options', {})).body;
    const verify = (challenge_id: string, credential: unknown) =>
      call(undefined, 'POST', '/passkeys/authentication/verify', { challenge_id, credential });

    const first = await start();
    const credential = device.get(first.options);
    expect((await verify(first.challenge_id, credential)).status).toBe(200);
    const again = await verify(first.challenge_id, credential);
    expect([again.status, again.body.code]).toEqual([400, 'webauthn_challenge_not_found']);

    const second = await start();
    expect((await verify(second.challenge_id, credential)).body.code).toBe('webauthn_verification_failed');

    const third = await start();
    device.counter = 0;
    expect((await verify(third.challenge_id, device.get(third.options))).body.code).toBe(
      'webauthn_verification_failed',
    );

    const fourth = await start();
    const elsewhere = new Authenticator('https://evil.test');
    const foreign = await verify(fourth.challenge_id, elsewhere.get(fourth.options));
    expect(foreign.body.code).toBe('webauthn_verification_failed');
    expect((await verify('', {})).body.code).toBe('webauthn_challenge_not_found');

    // The right key, asked by a page that only looks like ours.
    device.counter = 100;
    for (const origin of ['https://evil.test', `${device.origin}.evil.test`, 'null']) {
      const asked = await start();
      const phished = device.get(asked.options, origin);
      expect([origin, (await verify(asked.challenge_id, phished)).body.code]).toEqual([
        origin,
        'webauthn_verification_failed',
      ]);
    }
    const fifth = await start();
    expect((await verify(fifth.challenge_id, device.get(fifth.options))).status).toBe(200);
  });
});
