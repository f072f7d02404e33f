// Sign-up policy, by setting, at every door that creates accounts.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { asGoogle, type Issuer, startIssuer, there, travel } from './issuer.ts';
import { fragmentOf, type MailedApp, startMailedApp } from './mailed-app.ts';

const password = 'correct horse';
let issuer: Issuer;
let count = 0;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.close());

const someone = (domain = 'example.test') => `someone.${++count}@${domain}`;

function startWith(settings: Record<string, string>): Promise<MailedApp> {
  return startMailedApp({ settings: { ...asGoogle(issuer), AUTH_ANONYMOUS: 'true', ...settings } });
}

async function throughIssuer(app: MailedApp): Promise<Record<string, string>> {
  const { data } = await app
    .client()
    .auth.signInWithOAuth({ provider: 'google', options: { redirectTo: there, skipBrowserRedirect: true } });
  return fragmentOf(await travel(app, data.url ?? ''));
}

/** Whoever signs in at the issuer next has this address there. */
function comesAs(email: string): void {
  issuer.meet(++count);
  issuer.claims = { ...issuer.claims, email };
}

const accounts = async (app: MailedApp, email: string) =>
  (await app.sql('select id from auth.users where lower(email) = lower($1)', [email])).length;

/** What every door says to somebody who is not let in. */
async function expectRefused(app: MailedApp, email: string, message: RegExp): Promise<void> {
  const up = await app.client().auth.signUp({ email, password });
  expect(up.error).toMatchObject({ code: 'signup_disabled', status: 422, message: expect.stringMatching(message) });
  // No error: it would tell who has an account.
  expect((await app.client().auth.signInWithOtp({ email })).error).toBeNull();
  const anonymous = await app.client().auth.signInAnonymously();
  expect(anonymous.error).toMatchObject({ code: 'signup_disabled', status: 422 });
  comesAs(email);
  expect(await throughIssuer(app)).toMatchObject({ error: 'access_denied', error_code: 'signup_disabled' });
  expect(await accounts(app, email)).toBe(0);
}

async function expectAccepted(app: MailedApp, email: string): Promise<void> {
  const up = await app.client().auth.signUp({ email, password });
  expect(up.error).toBeNull();
  expect(await accounts(app, email)).toBe(1);
}

test('open: everybody', async () => {
  const app = await startWith({});
  await expectAccepted(app, someone());
  expect((await app.client().auth.signInAnonymously()).error).toBeNull();
  expect(await (await app.request('/auth/v1/settings')).json()).toMatchObject({
    disable_signup: false,
    sign_up: { policy: 'open', domains: [] },
  });
  await app.close();
});

describe('off', () => {
  test.each<Record<string, string>>([{ AUTH_SIGN_UP: 'off' }, { AUTH_DISABLE_SIGNUP: 'true' }])(
    '%o: nobody but by the service key',
    async (settings) => {
      const app = await startWith(settings);
      await expectRefused(app, someone(), /^Signups not allowed for this instance$/);
      const admin = app.client({ key: app.serviceKey }).auth.admin;
      const email = someone();
      expect((await admin.createUser({ email, password, email_confirm: true })).error).toBeNull();
      expect((await app.client().auth.signInWithPassword({ email, password })).error).toBeNull();
      const invited = someone();
      expect((await admin.inviteUserByEmail(invited)).error).toBeNull();
      expect(fragmentOf(await app.follow(await app.post.next(invited)))).toMatchObject({ token_type: 'bearer' });
      await app.close();
    },
  );
});

describe('domains', () => {
  test('addresses there, by every door', async () => {
    const app = await startWith({ AUTH_SIGN_UP: 'domains', AUTH_SIGN_UP_DOMAINS: 'Good.test, @fine.test' });
    await expectAccepted(app, someone('good.test'));
    await expectAccepted(app, someone('FINE.test'));
    const only = /^Signups not allowed for this instance: only for addresses at @good\.test, @fine\.test$/;
    for (const domain of ['bad.test', 'sub.good.test', 'good.test.evil.test', 'notgood.test'])
      await expectRefused(app, someone(domain), only);
    const byMail = someone('good.test');
    await app.client().auth.signInWithOtp({ email: byMail });
    expect(await accounts(app, byMail)).toBe(1);
    const byIssuer = someone('good.test');
    comesAs(byIssuer);
    expect(await throughIssuer(app)).toMatchObject({ token_type: 'bearer' });
    expect(await (await app.request('/auth/v1/settings')).json()).toMatchObject({
      disable_signup: false,
      sign_up: { policy: 'domains', domains: ['good.test', 'fine.test'] },
    });
    await app.close();
  });

  test('an invitation does not change that', async () => {
    const app = await startWith({ AUTH_SIGN_UP: 'domains', AUTH_SIGN_UP_DOMAINS: 'good.test' });
    const guest = someone();
    await invite(app, guest);
    await expectRefused(app, guest, /only for addresses at @good\.test/);
    await app.close();
  });
});

async function invite(app: MailedApp, email: string) {
  const owner = await app.createUser({ name: 'Olga' });
  const { data: project } = await owner.client.rpc('create_project_with_defaults', { name: 'Plans' });
  const made = await owner.client.rpc('invite_member', { project_id: project.id, email, role: 'editor' });
  expect(made.error).toBeNull();
  return { owner, project, invitation: made.data.id as string };
}

describe('invited', () => {
  test('with an open invitation, by every door, and as an editor afterwards', async () => {
    const app = await startWith({ AUTH_SIGN_UP: 'invited' });
    await expectRefused(app, someone(), /^Signups not allowed for this instance: only for invited addresses$/);
    const guest = someone();
    await invite(app, guest);
    await expectAccepted(app, guest.toUpperCase());
    const byMail = someone();
    await invite(app, byMail);
    await app.client().auth.signInWithOtp({ email: byMail });
    expect(await accounts(app, byMail)).toBe(1);
    const byIssuer = someone();
    await invite(app, byIssuer);
    comesAs(byIssuer);
    expect(await throughIssuer(app)).toMatchObject({ token_type: 'bearer' });
    await app.close();
  });

  test('not once it was withdrawn, has expired, or its sender owns nothing there any more', async () => {
    const app = await startWith({ AUTH_SIGN_UP: 'invited' });
    const refused = /only for invited addresses/;
    const [withdrawn, expired, ownerless] = [someone(), someone(), someone()];
    const first = await invite(app, withdrawn);
    await first.owner.client.from('project_invitations').delete().eq('id', first.invitation);
    await expectRefused(app, withdrawn, refused);
    const second = await invite(app, expired);
    await app.sql('alter table public.project_invitations disable trigger user');
    await app.sql(`update public.project_invitations set expires_at = now() - interval '1 minute' where id = $1`, [
      second.invitation,
    ]);
    await app.sql('alter table public.project_invitations enable trigger user');
    await expectRefused(app, expired, refused);
    const third = await invite(app, ownerless);
    const heir = await app.createUser({ name: 'Heir' });
    await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'owner')`, [
      third.project.id,
      heir.id,
    ]);
    await app.sql(`delete from public.project_members where project_id = $1 and user_id = $2`, [
      third.project.id,
      third.owner.id,
    ]);
    await expectRefused(app, ownerless, refused);
    await app.close();
  });

  test('a domain beside it', async () => {
    const app = await startWith({ AUTH_SIGN_UP: 'invited', AUTH_SIGN_UP_DOMAINS: 'good.test' });
    await expectAccepted(app, someone('good.test'));
    await expectRefused(app, someone(), /only for invited addresses and those at @good\.test$/);
    await app.close();
  });
});

test('an anonymous account that was made before takes no address that may not sign up', async () => {
  const before = await startApp({ settings: { AUTH_ANONYMOUS: 'true', JWT_SECRET: 's'.repeat(40) } });
  const client = before.client();
  await client.auth.signInAnonymously();
  const { data } = await client.auth.getSession();
  const now = await startApp({
    settings: { JWT_SECRET: 's'.repeat(40), AUTH_SIGN_UP: 'domains', AUTH_SIGN_UP_DOMAINS: 'good.test' },
    database: { url: before.databaseUrl, directUrl: before.ownerUrl, drop: async () => undefined },
  });
  const put = (email: string) =>
    now.request('/auth/v1/user', {
      method: 'PUT',
      token: data.session?.access_token ?? '',
      body: JSON.stringify({ email }),
    });
  const refused = await put(someone());
  expect([refused.status, (await refused.json()).code]).toEqual([422, 'signup_disabled']);
  expect((await put(someone('good.test'))).status).toBe(200);
  await now.close();
  await before.close();
});

test('domains are read as domains', async () => {
  await expect(startApp({ settings: { AUTH_SIGN_UP_DOMAINS: 'good.test, nonsense' } })).rejects.toThrow(
    /mail domains such as/,
  );
  await expect(startApp({ settings: { AUTH_SIGN_UP: 'closed' } })).rejects.toThrow(
    /one of open, invited, domains, off/,
  );
});
