// The official @supabase/ssr: a page that signs in, and a server that reads, refreshes and ends its session, with nothing
// between them but cookies.

import { createBrowserClient, createServerClient } from '@supabase/ssr';
import type { SupabaseClient } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { forSuite } from '../helpers/for-suite.ts';
import { Browser, startIssuer } from './issuer.ts';
import { type MailedApp, startMailedApp } from './mailed-app.ts';

type Jar = Map<string, string>;

const issuer = forSuite(() => startIssuer());
const settings = () => ({
  AUTH_AUTOCONFIRM: 'true',
  AUTH_OIDC_NAME: 'acme',
  AUTH_OIDC_ISSUER: issuer.url,
  AUTH_OIDC_CLIENT_ID: 'kanbase',
  AUTH_OIDC_CLIENT_SECRET: 'secret',
});
const app = forSuite(() => startMailedApp({ settings: settings() }));
/** Its tokens are about to expire from the start, so that every look at a session refreshes it. */
const brief = forSuite(() => startMailedApp({ settings: { ...settings(), AUTH_TOKEN_LIFETIME: '60' } }));

const password = 'secret1';
let count = 0;
function someone(): string {
  count += 1;
  return `ssr${count}@example.test`;
}

function cookiesOf(jar: Jar, written: string[] = []) {
  return {
    getAll: () => [...jar].map(([name, value]) => ({ name, value })),
    setAll: (changes: { name: string; value: string }[]) => {
      for (const { name, value } of changes) {
        written.push(name);
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
    },
  };
}

/** The page's client; a test has no document, so its cookies are in the jar. */
function onPage(on: MailedApp, jar: Jar): SupabaseClient {
  return createBrowserClient(on.url, on.anonKey, {
    isSingleton: false,
    cookies: cookiesOf(jar),
    auth: { autoRefreshToken: false, detectSessionInUrl: false },
    realtime: { transport: WebSocket as never },
  }) as SupabaseClient;
}

/** One for each request, as a middleware makes it. */
function onServer(on: MailedApp, jar: Jar, written?: string[]): SupabaseClient {
  return createServerClient(on.url, on.anonKey, {
    cookies: cookiesOf(jar, written),
    realtime: { transport: WebSocket as never },
  }) as SupabaseClient;
}

const sessionCookies = (jar: Jar) => [...jar.keys()].filter((name) => /-auth-token(\.\d+)?$/.test(name)).sort();

describe('a page and its server', () => {
  test('share a session that needs several cookies, also when it shrinks', async () => {
    const jar: Jar = new Map();
    const page = onPage(app, jar);
    const email = someone();
    const { error } = await page.auth.signUp({ email, password, options: { data: { about: 'x'.repeat(6000) } } });
    expect(error).toBeNull();
    const many = sessionCookies(jar).length;
    expect(many).toBeGreaterThan(1);
    expect(sessionCookies(jar).every((name) => /\.\d+$/.test(name))).toBe(true);
    const server = onServer(app, jar);
    expect((await server.auth.getUser()).data.user?.email).toBe(email);
    expect((await server.auth.getClaims()).data?.claims.email).toBe(email);
    expect((await server.rpc('create_project_with_defaults', { name: 'From the server' })).error).toBeNull();

    await server.auth.updateUser({ data: { about: 'short' } });
    await server.auth.refreshSession();
    expect(sessionCookies(jar).length).toBeLessThan(many);
    expect((await onPage(app, jar).auth.getUser()).data.user?.user_metadata).toEqual({ about: 'short' });
  });

  test('a PKCE sign-in through an issuer begins on the page and ends on the server', async () => {
    issuer.claims = { sub: 'ssr', email: 'grace@issuer.test', email_verified: true };
    const jar: Jar = new Map();
    const { data } = await onPage(app, jar).auth.signInWithOAuth({
      provider: 'acme' as never,
      options: { redirectTo: 'http://localhost:3000/auth/callback', skipBrowserRedirect: true },
    });
    expect([...jar.keys()].some((name) => name.includes('code-verifier'))).toBe(true);
    const browser = new Browser();
    const out = await browser.visit(data.url ?? '');
    const callback = new URL((await fetch(out.location, { redirect: 'manual' })).headers.get('location') ?? '');
    const back = new URL((await browser.visit(`${app.url}${callback.pathname}${callback.search}`)).location);
    expect(back.hash).toBe('');
    const code = back.searchParams.get('code') ?? '';
    // Somebody else's server has no verifier for it.
    expect((await onServer(app, new Map()).auth.exchangeCodeForSession(code)).error).not.toBeNull();
    const { data: session, error } = await onServer(app, jar).auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(session.user?.email).toBe('grace@issuer.test');
    expect((await onPage(app, jar).auth.getUser()).data.user?.id).toBe(session.user?.id);
  });

  test('a sign-in mail opened in the same browser is exchanged on the server', async () => {
    const jar: Jar = new Map();
    const email = someone();
    await onPage(app, jar).auth.signInWithOtp({ email, options: { emailRedirectTo: 'http://localhost:3000/welcome' } });
    const end = await app.follow(await app.post.next(email));
    expect(end.pathname).toBe('/welcome');
    const { data, error } = await onServer(app, jar).auth.exchangeCodeForSession(end.searchParams.get('code') ?? '');
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
  });

  test('a link with a token hash is verified by the server alone', async () => {
    const email = someone();
    const admin = app.client({ key: app.serviceKey }).auth.admin;
    await admin.createUser({ email, email_confirm: true });
    const { data: link } = await admin.generateLink({ type: 'magiclink', email });
    const jar: Jar = new Map();
    const token_hash = link.properties?.hashed_token ?? '';
    const { error } = await onServer(app, jar).auth.verifyOtp({ type: 'email', token_hash });
    expect(error).toBeNull();
    expect((await onPage(app, jar).auth.getUser()).data.user?.email).toBe(email);
  });

  test('signing out on the server takes the cookies away, and the session everywhere', async () => {
    const jar: Jar = new Map();
    const page = onPage(app, jar);
    await page.auth.signUp({ email: someone(), password });
    const before = new Map(jar);
    expect((await onServer(app, jar).auth.signOut()).error).toBeNull();
    expect(sessionCookies(jar)).toEqual([]);
    // Cookies somebody kept are of no use.
    const kept = onServer(app, before);
    expect((await kept.auth.getUser()).error).not.toBeNull();
    expect((await kept.auth.refreshSession()).error).not.toBeNull();
  });
});

describe('a middleware', () => {
  test('refreshes what is about to expire, and writes the new session where the page finds it', async () => {
    const jar: Jar = new Map();
    await onPage(brief, jar).auth.signUp({ email: someone(), password });
    const before = [...jar.values()].join();
    const written: string[] = [];
    const { data, error } = await onServer(brief, jar, written).auth.getUser();
    expect(error).toBeNull();
    expect(written.length).toBeGreaterThan(0);
    expect([...jar.values()].join()).not.toBe(before);
    expect((await onPage(brief, jar).auth.getUser()).data.user?.id).toBe(data.user?.id);
  });

  test('of twenty requests at once, all go through and any of their cookies are good', async () => {
    const jar: Jar = new Map();
    await onPage(brief, jar).auth.signUp({ email: someone(), password });
    // Each request has the cookies as they were when the browser sent it.
    const jars = Array.from({ length: 20 }, () => new Map(jar));
    const answers = await Promise.all(jars.map((one) => onServer(brief, one).auth.getUser()));
    expect(answers.filter(({ error }) => error !== null)).toEqual([]);
    expect(new Set(answers.map(({ data }) => data.user?.id)).size).toBe(1);
    for (const late of [jars[19], jars[0]])
      expect((await onServer(brief, late ?? new Map()).auth.getUser()).error).toBeNull();
  });

  test('with cookies that were tampered with lets nobody in', async () => {
    const jar: Jar = new Map();
    await onPage(app, jar).auth.signUp({ email: someone(), password });
    const [name = ''] = sessionCookies(jar);
    const value = jar.get(name) ?? '';
    const session = JSON.parse(Buffer.from(value.replace(/^base64-/, ''), 'base64url').toString());
    const put = (changed: object) =>
      new Map([[name, `base64-${Buffer.from(JSON.stringify({ ...session, ...changed })).toString('base64url')}`]]);
    const [head = '', body = '', seal = ''] = (session.access_token as string).split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    const other = Buffer.from(JSON.stringify({ ...claims, sub: '00000000-0000-4000-8000-000000000000' })).toString(
      'base64url',
    );
    for (const forged of [
      put({ access_token: `${head}.${other}.${seal}` }),
      put({ access_token: app.anonKey }),
      put({ access_token: `${head}.${body}.` }),
    ])
      expect((await onServer(app, forged).auth.getUser()).data.user).toBeNull();
    // What the cookie says of the user counts for nothing: the server is asked.
    const boast = await onServer(app, put({ user: { id: 'x', role: 'service_role' } })).auth.getUser();
    expect(boast.data.user).toMatchObject({ id: session.user.id, role: 'authenticated' });
  });
});

describe('too often', () => {
  test('reaches the official client with a code, and how long to wait', async () => {
    const strict = await startMailedApp({
      settings: {
        AUTH_LIMIT_EXEMPT: '',
        AUTH_LIMIT_SIGN_IN: '2',
        AUTH_LIMIT_MAIL: '1',
        AUTH_MAIL_INTERVAL: '60',
      },
    });
    const client = strict.client();
    const signIn = () => client.auth.signInWithPassword({ email: 'nobody@example.test', password });
    await signIn();
    await signIn();
    expect((await signIn()).error).toMatchObject({
      status: 429,
      code: 'over_request_rate_limit',
      message: 'Request rate limit reached',
    });
    await client.auth.resetPasswordForEmail('one@example.test');
    expect((await client.auth.resetPasswordForEmail('two@example.test')).error).toMatchObject({
      status: 429,
      code: 'over_email_send_rate_limit',
      message: 'email rate limit exceeded',
    });
    const raw = await strict.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      body: '{"email":"a@b.test","password":"x"}',
    });
    expect(raw.status).toBe(429);
    expect(Number(raw.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(raw.headers.get('x-sb-error-code')).toBe('over_request_rate_limit');
    expect(raw.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('retry-after');
    expect(await raw.json()).toMatchObject({
      code: 'over_request_rate_limit',
      error_code: 'over_request_rate_limit',
      msg: 'Request rate limit reached',
    });
    await strict.close();
  });
});
