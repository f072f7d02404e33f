// Adding an identity to an account and taking it away, by whom it concerns and nobody else.

import type { SupabaseClient } from '@supabase/supabase-js';
import { TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { textsIn } from '../../server/texts/texts.ts';
import { startApp } from '../helpers/app.ts';
import { fetchInbox } from '../helpers/fetch-inbox.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { arrive, asGoogle, Browser, startIssuer, there, travel } from './issuer.ts';
import { fragmentOf, pkceClient } from './mailed-app.ts';

const issuer = forSuite(() => startIssuer());
const app = forSuite(() =>
  startApp({
    settings: asGoogle(issuer),
  }),
);
let count = 0;
beforeEach(() => {
  count += 1;
  issuer.meet(count);
});

describe('linking', () => {
  async function member() {
    const client = pkceClient(app);
    const email = `member${count}@example.test`;
    const { data } = await client.auth.signUp({ email, password: 'secret1' });
    return { client, email, id: data.user?.id };
  }

  test('an identity is added, listed and taken away; the last one stays', async () => {
    const { client, id } = await member();
    const { data, error } = await client.auth.linkIdentity({ provider: 'google', options: { redirectTo: there } });
    expect(error).toBeNull();
    const atIssuer = await fetch(data?.url ?? '', { redirect: 'manual' });
    const end = await arrive(app, new URL(atIssuer.headers.get('location') ?? ''), new Browser());
    const exchanged = await client.auth.exchangeCodeForSession(end.searchParams.get('code') ?? '');
    expect(exchanged.data.user?.id).toBe(id);
    const { data: list } = await client.auth.getUserIdentities();
    expect(list?.identities.map((one) => one.provider)).toEqual(['email', 'google']);
    const [email, google] = list?.identities ?? [];
    if (!google || !email) throw new Error('no identities');
    expect((await client.auth.unlinkIdentity(google)).error).toBeNull();
    expect((await client.auth.unlinkIdentity(google)).error?.code).toBe('identity_not_found');
    expect((await client.auth.unlinkIdentity(email)).error?.code).toBe('single_identity_not_deletable');
  });

  async function linking(client: SupabaseClient) {
    const { data, error } = await client.auth.linkIdentity({ provider: 'google', options: { redirectTo: there } });
    expect(error).toBeNull();
    const atIssuer = await fetch(data?.url ?? '', { redirect: 'manual' });
    return arrive(app, new URL(atIssuer.headers.get('location') ?? ''), new Browser());
  }

  async function providersOf(client: SupabaseClient): Promise<string[] | undefined> {
    return (await client.auth.getUserIdentities()).data?.identities.map((one) => one.provider);
  }

  test('of two that are taken away at once one stays', async () => {
    const { client } = await member();
    await client.auth.exchangeCodeForSession((await linking(client)).searchParams.get('code') ?? '');
    const { data } = await client.auth.getUserIdentities();
    expect(data?.identities).toHaveLength(2);
    const ends = await Promise.all((data?.identities ?? []).map((one) => client.auth.unlinkIdentity(one)));
    expect(ends.map(({ error }) => error?.code ?? 'done').sort()).toEqual(['done', 'single_identity_not_deletable']);
    expect(await providersOf(client)).toHaveLength(1);
  });

  test('a link sent to somebody else adds nothing: only who holds the verifier finishes it', async () => {
    const { client } = await member();
    const end = await linking(client);
    expect(await providersOf(client)).toEqual(['email']);
    const auth_code = end.searchParams.get('code');
    const stolen = await app.request('/auth/v1/token?grant_type=pkce', {
      method: 'POST',
      body: JSON.stringify({ auth_code, code_verifier: 'somebody-elses-verifier' }),
    });
    expect(await stolen.json()).toMatchObject({ code: 'bad_code_verifier' });
    expect(await providersOf(client)).toEqual(['email']);
  });

  /** As far as the question that the implicit flow asks, in a browser that knows nothing of the beginning. */
  async function asked(email = `loose${count}@example.test`) {
    const client = app.client();
    const { data: up } = await client.auth.signUp({ email, password: 'secret1' });
    const { data, error } = await client.auth.linkIdentity({ provider: 'google', options: { redirectTo: there } });
    expect(error).toBeNull();
    const atIssuer = await fetch(data?.url ?? '', { redirect: 'manual' });
    const callback = new URL(atIssuer.headers.get('location') ?? '');
    const page = await fetch(`${app.url}${callback.pathname}${callback.search}`, { redirect: 'manual' });
    const html = page.status === 200 ? await page.text() : '';
    const press = () =>
      fetch(`${app.url}/auth/v1/callback`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ ticket: /name="ticket" value="([\w-]+)"/.exec(html)?.[1] ?? '' }),
      });
    return { client, id: up.user?.id, page, html, press };
  }

  test('in the implicit flow, whoever comes back is shown the account and asked first', async () => {
    issuer.claims = { ...issuer.claims, email: `grace${count}@example.test` };
    const { client, id, page, html, press } = await asked();
    expect(html).toContain(`<strong>grace${count}@example.test</strong>`);
    expect(html).toContain(`<strong>loose${count}@example.test</strong>`);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    // A victim who closes the page has lost nothing.
    expect(await providersOf(client)).toEqual(['email']);
    const end = await press();
    expect(end.status).toBe(303);
    const there = fragmentOf(new URL(end.headers.get('location') ?? ''));
    expect(there.provider_token).toBeTruthy();
    expect((await client.auth.getUser(there.access_token)).data.user?.id).toBe(id);
    expect(await providersOf(client)).toEqual(['email', 'google']);
    const again = new URL((await press()).headers.get('location') ?? '');
    expect(again.searchParams.get('error_code')).toBe('bad_oauth_state');
  });

  test('an identity that has an account is refused without asking', async () => {
    await travel(app, `${app.url}/auth/v1/authorize?provider=google`);
    const { page } = await asked();
    expect(page.status).toBe(302);
    expect(page.headers.get('location')).toContain('error_code=identity_already_exists');
  });

  test('the ticket of the question is no state', async () => {
    issuer.claims = { ...issuer.claims, email: `grace${count}@example.test` };
    const { html, client } = await asked();
    const ticket = /name="ticket" value="([\w-]+)"/.exec(html)?.[1];
    for (const state of [ticket, `consent ${ticket}`]) {
      const end = await arrive(
        app,
        new URL(`${app.url}/auth/v1/callback?code=x&state=${encodeURIComponent(state ?? '')}`),
        new Browser(),
      );
      expect(end.searchParams.get('error_code')).toBe('bad_oauth_state');
    }
    expect(await providersOf(client)).toEqual(['email']);
  });

  test('a page of our own needs no verifier: its cookie has to come back', async () => {
    const { client } = await member();
    const token = (await client.auth.getSession()).data.session?.access_token ?? '';
    const browser = new Browser();
    const headers = { apikey: app.anonKey, authorization: `Bearer ${token}`, 'sec-fetch-site': 'same-origin' };
    const start = async () => {
      const out = await browser.visit(`${app.url}/auth/v1/user/identities/authorize?provider=google`, { headers });
      const atIssuer = await fetch(out.location, { redirect: 'manual' });
      return new URL(atIssuer.headers.get('location') ?? '');
    };
    const elsewhere = await arrive(app, await start(), new Browser());
    expect(elsewhere.searchParams.get('error_code')).toBe('bad_oauth_state');
    expect(fragmentOf(await arrive(app, await start(), browser)).access_token).toBeTruthy();
    expect(await providersOf(client)).toEqual(['email', 'google']);
  });

  test('only with an address the issuer vouches for', async () => {
    const { client } = await member();
    issuer.claims = { ...issuer.claims, email_verified: false };
    expect((await linking(client)).searchParams.get('error_code')).toBe('provider_email_needs_verification');
    const token = await issuer.idToken(issuer.claims);
    const { error } = await client.auth.linkIdentity({ provider: 'google', token });
    expect(error?.code).toBe('provider_email_needs_verification');
    expect(await providersOf(client)).toEqual(['email']);
  });

  test('the owner gets a mail about links and their end', async () => {
    const { client, email } = await member();
    const { error } = await client.auth.linkIdentity({
      provider: 'google',
      token: await issuer.idToken(issuer.claims),
    });
    expect(error).toBeNull();
    const { data } = await client.auth.getUserIdentities();
    const google = data?.identities.find((one) => one.provider === 'google');
    if (!google) throw new Error('not linked');
    expect((await client.auth.unlinkIdentity(google)).error).toBeNull();
    const inbox = await fetchInbox(app, '/dev/inbox', 'application/json');
    const letters: { recipient: string; subject: string; text: string }[] = await inbox.json();
    const mine = letters.filter((letter) => letter.recipient === email);
    expect(mine.map((letter) => letter.subject).sort()).toEqual([
      textsIn('en').t('mail.identity_unlinked.subject', { product: 'Kanbase' }),
      textsIn('en').t('mail.identity_linked.subject', { provider: 'google', product: 'Kanbase' }),
    ]);
  });

  test('only a session that has used the second factor links and unlinks identities', async () => {
    const { client, email } = await member();
    const { error } = await client.auth.linkIdentity({
      provider: 'google',
      token: await issuer.idToken(issuer.claims),
    });
    expect(error).toBeNull();
    const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp' });
    if (factor?.type !== 'totp') throw new Error('no TOTP factor');
    const code = new TOTP({ secret: factor.totp.secret }).generate();
    expect((await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code })).error).toBeNull();

    const thief = pkceClient(app);
    await thief.auth.signInWithPassword({ email, password: 'secret1' });
    const { data } = await thief.auth.getUserIdentities();
    for (const identity of data?.identities ?? [])
      expect((await thief.auth.unlinkIdentity(identity)).error).toMatchObject({
        code: 'insufficient_aal',
        status: 403,
      });
    const mine = await issuer.idToken({
      sub: `thief-${count}`,
      email: `thief${count}@evil.test`,
      email_verified: true,
    });
    expect((await thief.auth.linkIdentity({ provider: 'google', token: mine })).error?.code).toBe('insufficient_aal');
    expect((await thief.auth.linkIdentity({ provider: 'google' })).error?.code).toBe('insufficient_aal');
    expect(await providersOf(client)).toEqual(['email', 'google']);
  });

  test('an identity belongs to one account', async () => {
    await travel(app, `${app.url}/auth/v1/authorize?provider=google`);
    const { client } = await member();
    const token = await issuer.idToken(issuer.claims);
    const { error } = await client.auth.linkIdentity({ provider: 'google', token });
    expect(error).toMatchObject({ code: 'identity_already_exists', status: 422 });
  });

  test('an anonymous account becomes a real one', async () => {
    const client = app.client();
    const { data } = await client.auth.signInAnonymously();
    expect(data.user?.is_anonymous).toBe(true);
    const linked = await client.auth.linkIdentity({ provider: 'google', token: await issuer.idToken(issuer.claims) });
    expect(linked.error).toBeNull();
    expect((await client.auth.getUser()).data.user).toMatchObject({
      id: data.user?.id,
      is_anonymous: false,
      email: `person${count}@example.test`,
    });
  });
});
