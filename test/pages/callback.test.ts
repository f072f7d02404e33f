// GET /auth/callback over HTTP: a link in a mail leads here with a code, as an outside provider does. The whole way
// through a browser and a provider is in sign-in.browser.test.ts.

import { describe, expect, it } from 'vitest';
import { readPart } from '../../scripts/strings.mjs';
import type { SignInTrouble } from '../../server/pages/finish-sign-in.ts';
import { cookieBrowser } from '../helpers/cookie-browser.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { startMailedApp } from '../identity/mailed-app.ts';

let number = 0;

const app = forSuite(startMailedApp);

/** Asks for a link, opens it, and stops at the address it leads to. */
async function begin(next: string | null = null, name?: string) {
  number += 1;
  const email = `visitor${number}@example.test`;
  const browser = cookieBrowser(app.url, app.anonKey, name);
  const emailRedirectTo = `${app.url}/auth/callback${next === null ? '' : `?next=${encodeURIComponent(next)}`}`;
  const { error } = await browser.client.auth.signInWithOtp({ email, options: { emailRedirectTo } });
  if (error) throw error;
  const callback = await app.follow(await app.post.next(email));
  return { browser, email, path: callback.pathname + callback.search };
}

const location = (response: Response) => response.headers.get('location');
const errorIn = (response: Response) => new URL(location(response) ?? '', app.url).searchParams.get('error');

describe('a code', () => {
  it('becomes a session in cookies, and leads to the app', async () => {
    const { browser, email, path } = await begin(null, 'sb-kanbase-auth-token');
    const response = await browser.fetch(path);
    expect([response.status, location(response)]).toEqual([302, '/app']);
    expect(response.headers.get('cache-control')).toContain('no-store');
    const session = response.headers
      .getSetCookie()
      .filter((line) => /^sb-kanbase-auth-token(\.\d+)?=base64-|^sb-kanbase-auth-token\.\d+=/.test(line));
    expect(session.length).toBeGreaterThan(0);
    for (const line of session) {
      expect(line).toMatch(/; Path=\/; SameSite=Lax$/);
      expect(line.length).toBeLessThan(4096);
    }
    expect(
      [...browser.jar.keys()].some((cookie) => cookie.endsWith('-code-verifier') && !cookie.includes('flow')),
    ).toBe(false);
    const { data } = await cookieClientOf(browser.jar).auth.getUser();
    expect(data.user?.email).toBe(email);
    const billing = await browser.fetch('/api/billing/create-portal', { method: 'POST' });
    expect([billing.status, await billing.json()]).toEqual([400, { error: 'Return URL is required' }]);
  });

  it('leads where next says, whatever name the client gives its cookie', async () => {
    for (const name of [undefined, 'sb-other-auth-token']) {
      const { browser, path } = await begin('/app/projects/7?view=board', name);
      const response = await browser.fetch(path);
      expect(location(response)).toBe('/app/projects/7?view=board');
      expect((await browser.fetch('/api/billing/create-portal', { method: 'POST' })).status).toBe(400);
    }
  });

  for (const next of [
    'https://evil.test',
    '//evil.test',
    '/\\evil.test',
    '/%2f%2fevil.test',
    '/\t/evil.test',
    'javascript:alert(1)',
    '@evil.test',
  ])
    it(`never leads off the site: ${JSON.stringify(next)}`, async () => {
      const { browser, path } = await begin();
      const response = await browser.fetch(`${path}&next=${encodeURIComponent(next)}`);
      expect([response.status, location(response)]).toEqual([302, '/app']);
    });

  it('is good for one browser', async () => {
    const { path } = await begin();
    const response = await cookieBrowser(app.url, app.anonKey).fetch(path);
    expect(response.status).toBe(302);
    expect(errorIn(response)).toBe('other_browser');
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it('is good once', async () => {
    const { browser, path } = await begin('/app/x');
    const kept = new Map(browser.jar);
    await browser.fetch(path);
    for (const [cookie, value] of kept) browser.jar.set(cookie, value);
    const again = await browser.fetch(path);
    expect(errorIn(again)).toBe('expired');
    expect(new URL(location(again) ?? '', app.url).searchParams.get('next')).toBe('/app/x');
  });
});

describe('no code', () => {
  const catalog = readPart('en', 'sign-in'); // the page knows every code
  const words = (code: SignInTrouble): string => catalog.get(`signIn.troubles.${code}`) ?? '';
  const cases: Array<[query: string, trouble: SignInTrouble]> = [
    ['', 'incomplete'],
    ['?code=', 'incomplete'],
    ['?code=a&code=b', 'incomplete'],
    ['?error=access_denied&error_description=%3Cscript%3E', 'cancelled'],
    ['?error=server_error&error_code=signup_disabled', 'signup_closed'],
    ['?error=access_denied&error_code=otp_expired', 'link_used'],
    ['?error=access_denied&error_code=user_banned', 'blocked'],
    ['?error=server_error&error_code=over_request_rate_limit', 'too_many'],
    ['?error=access_denied&error_code=provider_email_needs_verification', 'unverified'],
    ['?error=server_error&error_code=unexpected_failure', 'server'],
    ['?error=temporarily_unavailable', 'provider'],
    ['?error=something_else&error_description=Pay+here', 'provider'],
    ['?error=__proto__', 'provider'],
    ['?error=Pay+here&error=access_denied', 'incomplete'],
    ['?code=nonsense', 'other_browser'],
  ];
  for (const [query, trouble] of cases)
    it(`${query || 'nothing at all'} ends on the sign-in page, which has words for it`, async () => {
      const response = await cookieBrowser(app.url, app.anonKey).fetch(`/auth/callback${query}`);
      expect(response.status).toBe(302);
      expect(location(response)).toBe(`/sign-in?error=${trouble}`);
      // The address holds a code, or what a stranger wrote.
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(words(trouble)).toMatch(/\.$/);
      expect(await response.text()).toBe('');
    });
});

it('behind a proxy with TLS the cookies are Secure, and the session knows who it is for', async () => {
  const tls = await startMailedApp({
    settings: { SITE_URL: 'https://kanbase.example.test', TRUST_PROXY: '127.0.0.1' },
  });
  try {
    const browser = cookieBrowser(tls.url, tls.anonKey);
    await browser.client.auth.signInWithOtp({
      email: 'tls@example.test',
      options: { emailRedirectTo: 'https://kanbase.example.test/auth/callback' },
    });
    const callback = await tls.follow(await tls.post.next('tls@example.test'));
    const response = await browser.fetch(callback.pathname + callback.search, {
      headers: { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https', 'user-agent': 'Lynx/2.8' },
    });
    expect(location(response)).toBe('/app');
    expect(await tls.sql('select host(ip) as ip, user_agent from auth.sessions')).toEqual([
      { ip: '203.0.113.7', user_agent: 'Lynx/2.8' },
    ]);
    const set = response.headers.getSetCookie();
    expect(set.length).toBeGreaterThan(0);
    for (const line of set) expect(line).toContain('; Secure');
  } finally {
    await tls.close();
  }
});

/** The official client over these cookies. */
function cookieClientOf(jar: Map<string, string>) {
  const browser = cookieBrowser(app.url, app.anonKey, 'sb-kanbase-auth-token');
  for (const [cookie, value] of jar) browser.jar.set(cookie, value);
  return browser.client;
}
