// A mock OpenID Connect issuer, and a browser just clever enough for its redirects: it keeps cookies.

import { OAuth2Server } from 'oauth2-mock-server';
import { expect } from 'vitest';
import type { TestApp } from '../helpers/app.ts';

export interface Issuer {
  readonly url: string;
  /** What the next ID tokens say beside the usual. */
  claims: Record<string, unknown>;
  /** Spoils the next ID token, or answers the token request with an error. */
  spoil: ((token: { payload: Record<string, unknown> }) => void) | null;
  /** Nothing is spoilt, and the next one to sign in is this person. */
  meet(person: number): void;
  /** An ID token as a client would get it by itself. */
  idToken(claims: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export async function startIssuer(): Promise<Issuer> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  const url = server.issuer.url ?? '';
  const issuer: Issuer = {
    url,
    claims: {},
    spoil: null,
    meet(person) {
      issuer.spoil = null;
      issuer.claims = {
        sub: `person-${person}`,
        email: `person${person}@example.test`,
        email_verified: true,
        name: 'Grace',
        picture: 'https://img.test/g.png',
      };
    },
    idToken: (claims) =>
      server.issuer.buildToken({
        scopesOrTransform: (_header, payload) => {
          Object.assign(payload, { aud: 'kanbase', ...claims });
        },
      }),
    close: () => server.stop(),
  };
  server.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    Object.assign(token.payload, issuer.claims);
    issuer.spoil?.(token);
  });
  return issuer;
}

/** Signing in by Google, who is this issuer; linking and anonymous accounts are on. */
export const asGoogle = (issuer: Issuer) => ({
  GOOGLE_CLIENT_ID: 'kanbase',
  GOOGLE_CLIENT_SECRET: 'secret',
  GOOGLE_ISSUER: issuer.url,
  AUTH_MANUAL_LINKING: 'true',
  AUTH_ANONYMOUS: 'true',
});

/** A page of the app that people come back to. */
export const there = 'http://localhost:5173/auth/callback?next=%2Fapp';

export class Browser {
  readonly cookies = new Map<string, string>();

  /** One request; cookies are sent to and kept from our own server only. Resolves with where it redirects. */
  async visit(
    url: string | URL,
    init: RequestInit = {},
  ): Promise<{ status: number; location: string; response: Response }> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: { ...init.headers, ...(cookie === '' ? {} : { cookie }) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=', 2);
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status: response.status, location: response.headers.get('location') ?? '', response };
  }
}

/** From our address through the issuer and back to the callback, as a browser goes. Resolves with where it ends. */
export async function travel(app: TestApp, url: string, browser = new Browser()): Promise<URL> {
  const out = await browser.visit(url);
  expect(out.status).toBe(302);
  const atIssuer = await fetch(out.location, { redirect: 'manual' });
  return arrive(app, new URL(atIssuer.headers.get('location') ?? ''), browser);
}

/** The issuer sends people to the public address of the service; in a test that is the port we got. */
export async function arrive(app: TestApp, callback: URL, browser: Browser): Promise<URL> {
  expect(callback.pathname).toBe('/auth/v1/callback');
  const back = await browser.visit(`${app.url}${callback.pathname}${callback.search}`);
  expect(back.status).toBe(302);
  return new URL(back.location);
}
