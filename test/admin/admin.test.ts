// The admin API by its door: access for operators alone, whatever others try, and the log of operators' actions.

import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { makeOperatorLink } from '../../server/admin/call-admin.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { makeProject } from '../sql/board.ts';

const password = 'correct horse';
const json = { 'content-type': 'application/json' };
let count = 0;

interface Person {
  readonly id: string;
  readonly email: string;
  token: string;
}

const app = forSuite(() => startApp({ settings: { AUTH_ANONYMOUS: 'true' } }));

async function person(name = 'Ada'): Promise<Person> {
  const email = `${name.toLowerCase()}.${++count}@example.test`;
  const { data, error } = await app.client().auth.signUp({ email, password, options: { data: { name } } });
  if (error) throw error;
  return { id: data.user?.id ?? '', email, token: data.session?.access_token ?? '' };
}

async function operator(): Promise<Person> {
  const made = await person('Olga');
  await app.sql('select private.set_operator($1, true)', [made.email]);
  return made;
}

async function ask(who: Person | string | null, method: string, path: string, body?: object) {
  const token = who === null || typeof who === 'string' ? who : who.token;
  const answer = await app.request(`/api/admin${path}`, {
    method,
    token,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: json }),
  });
  const text = await answer.text();
  return { status: answer.status, text, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text };
}

const everything = (id: string): [string, string, object?][] => [
  ['GET', '/me'],
  ['GET', '/accounts'],
  ['GET', '/accounts?words=a&kind=operators'],
  ['GET', `/accounts/${id}`],
  ['POST', '/accounts', { email: 'new@example.test', by: 'link' }],
  ['POST', '/accounts', { email: 'new@example.test', by: 'mail' }],
  ['POST', `/accounts/${id}/disable`, {}],
  ['POST', `/accounts/${id}/enable`, {}],
  ['POST', `/accounts/${id}/sign-out`, {}],
  ['POST', `/accounts/${id}/reset-factors`, {}],
  ['POST', `/accounts/${id}/delete`, { email: 'x@example.test' }],
  ['GET', '/mail'],
  ['GET', `/mail/${id}`],
  ['POST', '/mail/again', {}],
  ['POST', `/mail/${id}/again`, {}],
  ['POST', '/mail/test', {}],
  ['GET', '/projects'],
  ['GET', `/projects/${id}`],
  ['POST', `/projects/${id}/enter`, { reason: 'because' }],
  ['POST', `/projects/${id}/leave`, {}],
  ['POST', `/projects/${id}/pass-on`, { email: 'x@example.test', reason: 'because' }],
  ['GET', '/providers'],
  ['POST', '/providers', { name: 'Entra' }],
  ['POST', `/providers/${id}/tokens`],
  ['POST', `/providers/${id}/remove`],
  ['POST', `/provider-tokens/${id}/revoke`],
  ['GET', '/state'],
  ['GET', '/settings'],
  ['GET', '/database'],
  ['GET', '/files'],
  ['GET', '/backups'],
  ['GET', '/jobs'],
  ['GET', '/log'],
  ['GET', '/log.csv'],
];

async function expectNothing(who: Person | string | null, status: number, code: string): Promise<void> {
  const victim = await person('Victim');
  const before = await app.sql('select id from private.desk_log');
  for (const [method, path, body] of everything(victim.id)) {
    const answer = await ask(who, method, path, body);
    expect([method, path, answer.status, answer.body.code]).toEqual([method, path, status, code]);
    expect(answer.text).not.toContain(victim.email);
  }
  expect(await app.sql('select id from private.desk_log')).toEqual(before);
  const [left] = await app.sql('select banned_until from auth.users where id = $1', [victim.id]);
  expect(left).toEqual({ banned_until: null });
  expect(await app.sql(`select id from auth.users where email = 'new@example.test'`)).toEqual([]);
}

describe('a caller who is no operator gets nothing', () => {
  test('requests without a token, and API keys', async () => {
    await expectNothing(null, 401, 'KB801');
    await expectNothing(app.anonKey, 401, 'KB801');
    await expectNothing(app.serviceKey, 401, 'KB801');
    await expectNothing('nonsense', 401, 'KB801');
  });
  test('somebody signed in, and an anonymous account', async () => {
    await expectNothing(await person(), 403, 'KB802');
    const { data } = await app.client().auth.signInAnonymously();
    await expectNothing(data.session?.access_token ?? '', 401, 'KB801');
  });
  test('a token that was signed here for no session, whatever it claims', async () => {
    const { id } = await operator();
    const forged = await app.services.sessions.sign(
      { sub: id, role: 'authenticated', is_operator: true, aal: 'aal2' },
      60,
    );
    await expectNothing(forged, 401, 'KB801');
  });
  test('an operator whose session ended, who was disabled or who was removed', async () => {
    const out = await operator();
    await app.sql('delete from auth.sessions where user_id = $1', [out.id]);
    await expectNothing(out, 401, 'KB801');
    const banned = await operator();
    await app.sql(`update auth.users set banned_until = '9999-01-01' where id = $1`, [banned.id]);
    await expectNothing(banned, 401, 'KB801');
    const removed = await operator();
    expect((await ask(removed, 'GET', '/me')).status).toBe(200);
    await app.sql('select private.set_operator($1, false)', [removed.email]);
    await expectNothing(removed, 403, 'KB802');
  });
  test('a cookie alone opens nothing: pages of others cannot act for an operator', async () => {
    const { token } = await operator();
    const answer = await fetch(`${app.url}/api/admin/me`, { headers: { cookie: `sb-kanbase-auth-token=${token}` } });
    expect(answer.status).toBe(401);
  });
});

test('an operator with a second factor gets nothing until it is used', async () => {
  const one = await operator();
  const client = app.client();
  await client.auth.signInWithPassword({ email: one.email, password });
  const { data: enrolled } = await client.auth.mfa.enroll({ factorType: 'totp' });
  const secret = enrolled?.totp.secret ?? '';
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const verified = await client.auth.mfa.challengeAndVerify({ factorId: enrolled?.id ?? '', code: code() });
  expect(verified.error).toBeNull();
  const strong = (await client.auth.getSession()).data.session?.access_token ?? '';
  expect((await ask(strong, 'GET', '/me')).body).toEqual({ id: one.id, email: one.email });

  const { data: weak } = await app.client().auth.signInWithPassword({ email: one.email, password });
  await expectNothing(weak.session?.access_token ?? '', 403, 'KB006');
  // A token that says so itself is not believed either: the session says it.
  const claims = {
    sub: one.id,
    role: 'authenticated',
    aal: 'aal2',
    session_id: sessionOf(weak.session?.access_token ?? ''),
  };
  await expectNothing(await app.services.sessions.sign(claims, 60), 403, 'KB006');
});

const sessionOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).session_id;

describe('the first operator', () => {
  test('is made by a link that works once, for a day, and only while there is none', async () => {
    const own = await startApp();
    const signUp = async (email: string) =>
      (await own.client().auth.signUp({ email, password })).data.session?.access_token ?? '';
    const claim = (token: string, link: string | null) =>
      own.request('/api/admin/claim', { method: 'POST', token, headers: json, body: JSON.stringify({ token: link }) });
    const tokenIn = (link: string | null) => link?.split('#first=')[1] ?? '';
    const [ada, bob] = [await signUp('ada@example.test'), await signUp('bob@example.test')];
    const [first, second] = [await makeOperatorLink(own.services), await makeOperatorLink(own.services)];
    expect(first).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/admin#first=[\w-]{43}$/);
    // At rest there are hashes.
    expect(JSON.stringify(await own.sql('select * from private.operator_links'))).not.toContain(tokenIn(first));
    expect((await claim(ada, 'x'.repeat(43))).status).toBe(404);
    expect((await claim(own.anonKey, tokenIn(first))).status).toBe(401);
    await own.sql(`update auth.users set email_confirmed_at = null where email = 'ada@example.test'`);
    expect((await claim(ada, tokenIn(first))).status).toBe(409);
    await own.sql(`update auth.users set email_confirmed_at = now() where email = 'ada@example.test'`);
    const answers = await Promise.all([
      claim(ada, tokenIn(first)),
      claim(bob, tokenIn(second)),
      claim(ada, tokenIn(first)),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await own.sql('select email from auth.users where is_operator')).toHaveLength(1);
    expect(await own.sql('select * from private.operator_links')).toEqual([]);
    expect(await makeOperatorLink(own.services)).toBeNull();
    for (const token of [ada, bob]) expect((await claim(token, tokenIn(second))).status).toBe(404);
    expect(await own.sql('select action, details from private.desk_log')).toEqual([
      { action: 'operator_made', details: { by: 'link' } },
    ]);
    await own.close();
  });

  test('not by a link that has expired', async () => {
    const own = await startApp();
    const { data } = await own.client().auth.signUp({ email: 'ada@example.test', password });
    const link = await makeOperatorLink(own.services);
    await own.sql(`update private.operator_links set expires_at = now() - interval '1 second'`);
    const answer = await own.request('/api/admin/claim', {
      method: 'POST',
      token: data.session?.access_token ?? '',
      headers: json,
      body: JSON.stringify({ token: link?.split('#first=')[1] }),
    });
    expect(answer.status).toBe(404);
    await own.close();
  });

  test('no other door makes an operator', async () => {
    const ada = await person();
    const admin = app.client({ key: app.serviceKey }).auth.admin;
    await admin.updateUserById(ada.id, { app_metadata: { is_operator: true }, user_metadata: { is_operator: true } });
    await app.client({ token: ada.token }).auth.updateUser({ data: { is_operator: true } });
    await expectNothing(ada, 403, 'KB802');
    const identity = { role: 'kanbase_identity', claims: '{}' };
    for (const text of [
      `update auth.users set is_operator = true where id = '${ada.id}'`,
      `insert into auth.users (email, is_operator) values ('x.${ada.id}@example.test', true)`,
    ])
      await expect(app.database.runAs(identity, { text, values: [] })).rejects.toMatchObject({ sqlstate: '42501' });
    for (const role of ['anon', 'authenticated', 'service_role', 'kanbase_desk', 'kanbase_identity'])
      await expect(
        app.database.runAs(
          { role, claims: '{}' },
          { text: `select private.set_operator('${ada.email}', true)`, values: [] },
        ),
      ).rejects.toMatchObject({ sqlstate: '42501' });
  });
});

test('the role of the admin pages reads no table', async () => {
  for (const table of [
    'auth.users',
    'auth.sessions',
    'private.desk_log',
    'private.operator_links',
    'public.tasks',
    'public.projects',
  ])
    await expect(
      app.database.runAs({ role: 'kanbase_desk', claims: '{}' }, { text: `select * from ${table}`, values: [] }),
    ).rejects.toMatchObject({ sqlstate: '42501' });
});

test('an operator does not read projects they are no member of', async () => {
  const [one, owner] = [await operator(), await person('Owner')];
  const theirs = app.client({ token: owner.token });
  const { data: project } = await theirs.rpc('create_project_with_defaults', { name: 'Secret plans' });
  const { data: columns } = await theirs.from('workflow_columns').select('id').eq('project_id', project.id).limit(1);
  const made = await theirs.from('tasks').insert({
    project_id: project.id,
    column_id: columns?.[0]?.id,
    title: 'Buy the island',
    description: 'For nothing',
  });
  expect(made.error).toBeNull();
  const mine = app.client({ token: one.token });
  for (const table of ['projects', 'tasks', 'project_members', 'task_activity'])
    expect((await mine.from(table).select('*')).data).toEqual([]);
  const changed = await mine.from('projects').update({ name: 'Mine' }).eq('id', project.id).select();
  expect(changed.data ?? []).toEqual([]);
  // The admin pages show its outline, and nothing that is in it.
  const { text, body } = await ask(one, 'GET', `/accounts/${owner.id}`);
  expect(body.member_of).toEqual([expect.objectContaining({ name: 'Secret plans', role: 'owner' })]);
  expect(text).not.toContain('island');
});

describe('accounts', () => {
  test('are found by address, name and id, and by what is up with them', async () => {
    const one = await operator();
    const found = await person('Grace');
    for (const words of [found.email, 'GRACE', found.id]) {
      const { body } = await ask(one, 'GET', `/accounts?words=${encodeURIComponent(words)}`);
      expect(body.accounts.map(({ email }: Person) => email)).toContain(found.email);
    }
    expect((await ask(one, 'GET', '/accounts?words=%25')).body.total).toBe(0);
    const { body: operators } = await ask(one, 'GET', '/accounts?kind=operators');
    expect(operators.accounts.map(({ email }: Person) => email)).toContain(one.email);
    expect(operators.accounts.map(({ email }: Person) => email)).not.toContain(found.email);
    expect((await ask(one, 'GET', '/accounts/nonsense')).status).toBe(404);
    expect((await ask(one, 'GET', `/accounts/${crypto.randomUUID()}`)).status).toBe(404);
  });

  test('disabled: out everywhere at once, in again afterwards', async () => {
    const [one, ada] = [await operator(), await person()];
    expect((await ask(one, 'POST', `/accounts/${ada.id}/disable`, {})).status).toBe(200);
    expect((await app.client().auth.signInWithPassword({ email: ada.email, password })).error?.code).toBe(
      'user_banned',
    );
    await expect.poll(async () => (await app.request('/rest/v1/projects', { token: ada.token })).status).toBe(401);
    expect((await ask(one, 'GET', `/accounts/${ada.id}`)).body).toMatchObject({ state: 'disabled', sessions: 0 });
    expect((await ask(one, 'POST', `/accounts/${ada.id}/enable`, {})).status).toBe(200);
    expect((await app.client().auth.signInWithPassword({ email: ada.email, password })).error).toBeNull();
  });

  test('without a second factor again, and signed out', async () => {
    const [one, ada] = [await operator(), await person()];
    await app.sql(`insert into auth.mfa_factors (user_id, factor_type, status) values ($1, 'totp', 'verified')`, [
      ada.id,
    ]);
    expect((await ask(one, 'GET', `/accounts/${ada.id}`)).body).toMatchObject({ has_factor: true });
    expect((await ask(one, 'POST', `/accounts/${ada.id}/reset-factors`, {})).status).toBe(200);
    expect((await ask(one, 'GET', `/accounts/${ada.id}`)).body).toMatchObject({ has_factor: false, sessions: 0 });
    expect(
      await app.sql(`select kind from private.outbox where recipient = $1 and kind = 'factors_reset'`, [ada.email]),
    ).toHaveLength(1);
    await app.client().auth.signInWithPassword({ email: ada.email, password });
    expect((await ask(one, 'POST', `/accounts/${ada.id}/sign-out`, {})).status).toBe(200);
    expect((await ask(one, 'GET', `/accounts/${ada.id}`)).body).toMatchObject({ sessions: 0 });
  });

  test('deleted, with what becomes of the work said before and kept in the log', async () => {
    const [one, ada, bob] = [await operator(), await person(), await person('Bob')];
    const hers = app.client({ token: ada.token });
    const { data: shared } = await hers.rpc('create_project_with_defaults', { name: 'Shared' });
    await hers.rpc('create_project_with_defaults', { name: 'Alone' });
    await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
      shared.id,
      bob.id,
    ]);
    const becomes = [
      expect.objectContaining({ name: 'Alone', becomes: 'deleted' }),
      expect.objectContaining({ name: 'Shared', becomes: 'passes', heir_name: 'Bob' }),
    ];
    expect((await ask(one, 'GET', `/accounts/${ada.id}`)).body.end.projects).toEqual(becomes);
    expect((await ask(one, 'POST', `/accounts/${ada.id}/delete`, { email: bob.email })).status).toBe(409);
    expect((await ask(one, 'POST', `/accounts/${ada.id}/delete`, { email: ada.email.toUpperCase() })).status).toBe(200);
    expect(await app.sql('select id from auth.users where id = $1', [ada.id])).toEqual([]);
    expect(await app.sql('select role from public.project_members where project_id = $1', [shared.id])).toEqual([
      { role: 'owner' },
    ]);
    const [entry] = await app.sql<{ details: { projects: unknown } }>(
      `select details from private.desk_log where action = 'account_deleted' and subject_id = $1`,
      [ada.id],
    );
    expect(entry?.details.projects).toEqual(becomes);
  });

  test('of operators are not changed on the admin pages, one’s own neither', async () => {
    const [one, other] = [await operator(), await operator()];
    for (const { id, email } of [one, other])
      for (const action of ['disable', 'sign-out', 'reset-factors', 'delete'])
        expect((await ask(one, 'POST', `/accounts/${id}/${action}`, { email })).body.code).toBe('KB804');
  });

  test('made by a link that is shown once, and by mail; also where nobody may sign up', async () => {
    const closed = await startApp({ settings: { AUTH_SIGN_UP: 'invited' } });
    const owner = await closed.createUser({ name: 'Olga' });
    const session = crypto.randomUUID();
    await closed.sql('insert into auth.sessions (id, user_id) values ($1, $2)', [session, owner.id]);
    await closed.sql('select private.set_operator($1, true)', [owner.email]);
    const token = await closed.services.sessions.sign(
      { sub: owner.id, role: 'authenticated', session_id: session },
      600,
    );
    const make = async (body: object) => {
      const answer = await closed.request('/api/admin/accounts', {
        method: 'POST',
        token,
        headers: json,
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: await answer.json() };
    };
    const byLink = await make({ email: 'new@example.test', name: 'New', by: 'link' });
    const [, invited = ''] = /\/reset#invited=(\S+)$/.exec(byLink.body.link) ?? [];
    const client = closed.client();
    expect((await client.auth.verifyOtp({ token_hash: invited, type: 'invite' })).error).toBeNull();
    expect((await client.auth.updateUser({ password: 'a new password' })).error).toBeNull();

    // The link was handed on: it opens the account, and no project that its address is invited to.
    const { data: known } = await client.auth.getUser();
    expect(known.user?.identities?.[0]?.identity_data).toMatchObject({ email_verified: false });
    const someone = await closed.createUser({ name: 'Someone' });
    const { project } = await makeProject(closed, someone, 'Not the operator’s');
    const invite = { project_id: project, email: 'new@example.test', role: 'editor' };
    const { id, token: letter } = (await someone.client.rpc('invite_member', invite)).data;
    expect((await client.from('notifications').select('kind')).data).toEqual([]);
    expect((await client.rpc('join_project', { invitation_id: id })).error?.code).toBe('KB007');
    expect((await client.rpc('accept_invitation', { token: letter })).error).toBeNull();

    expect((await make({ email: 'mail@example.test', by: 'mail' })).body).toEqual({ link: null });
    expect(await closed.sql(`select kind from private.outbox where recipient = 'mail@example.test'`)).toEqual([
      { kind: 'invite' },
    ]);
    expect((await make({ email: 'new@example.test', by: 'link' })).body.code).toBe('KB804');
    expect((await make({ email: 'nonsense', by: 'link' })).status).toBe(400);
    expect((await make({ email: 'x@example.test', by: 'pigeon' })).body.code).toBe('KB805');
    expect(await closed.sql('select actor, action, subject from private.desk_log order by id')).toEqual([
      { actor: 'kanbase operator', action: 'operator_made', subject: owner.email },
      { actor: owner.email, action: 'account_made', subject: 'new@example.test' },
      { actor: owner.email, action: 'account_invited', subject: 'mail@example.test' },
      { actor: owner.email, action: 'account_made', subject: 'new@example.test' },
      { actor: owner.email, action: 'refused', subject: 'new@example.test' },
      { actor: owner.email, action: 'account_made', subject: 'nonsense' },
      { actor: owner.email, action: 'refused', subject: 'nonsense' },
    ]);
    await closed.close();
  });
});

test('the log says who, what, whom, when and from where; it is searched, and exported without formulas', async () => {
  const one = await operator();
  const evil = await person('Evil');
  await app.sql(`update auth.users set email = $2 where id = $1`, [
    evil.id,
    `=cmd|'/c calc'!a1@example.test`.replaceAll(' ', ''),
  ]);
  await ask(one, 'POST', `/accounts/${evil.id}/disable`, {});
  const { body } = await ask(one, 'GET', `/log?words=${encodeURIComponent(one.email)}`);
  expect(body[0]).toMatchObject({
    actor: one.email,
    actor_id: one.id,
    action: 'account_disabled',
    subject_id: evil.id,
    address: '127.0.0.1',
  });
  expect(Date.parse(body[0].created_at)).toBeGreaterThan(Date.now() - 60_000);
  const { text } = await ask(one, 'GET', `/log.csv?words=${encodeURIComponent(one.email)}`);
  const [head, ...lines] = text.trim().split('\r\n');
  expect(head).toBe('when,who,what,whom,id,address,details');
  expect(lines.some((line) => line.includes(`"'=cmd`))).toBe(true);
  expect(text).not.toMatch(/(^|,)"?[=+@]/m);
  expect((await ask(one, 'GET', '/log')).body[0]).toMatchObject({ action: 'log_exported', subject: one.email });
  const older = (await ask(one, 'GET', `/log?before=${body[0].id}`)).body as { id: string }[];
  expect(older.every(({ id }) => id < body[0].id)).toBe(true);
});

test.each([
  ['GET', '/accounts?words=%00', undefined],
  ['GET', '/mail?words=a%00b', undefined],
  ['GET', '/mail?before=-0.5', undefined],
  ['POST', '/accounts', { by: 'link', email: 'zero\0@example.test' }],
] as const)('a value no database can read is refused with KB805: %s %s', async (method, path, body) => {
  const refused = await ask(await operator(), method, path, body);
  expect(refused).toMatchObject({ status: 400, body: { code: 'KB805' } });
});

test('a list that is asked for from before its beginning begins there', async () => {
  for (const path of ['/accounts', '/projects'])
    expect((await ask(await operator(), 'GET', `${path}?skip=-2147483649`)).status).toBe(200);
});
