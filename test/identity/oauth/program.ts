// A program as seen by the OAuth server: its requests, its verifier, and a person who answers with the official client.

import { createHash, randomBytes } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { expect } from 'vitest';
import type { TestApp } from '../../helpers/app.ts';
import { records } from '../../helpers/records.ts';

export const callback = 'https://program.example/callback';

export interface Registered {
  readonly client_id: string;
  readonly client_secret?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** What a program and an administrator send. */
function openRequests(app: TestApp) {
  let people = 0;

  async function person(): Promise<SupabaseClient> {
    const client = app.client();
    const { error } = await client.auth.signUp({
      email: `granter${++people}@example.test`,
      password: 'secret1',
      options: { data: { name: 'Ada' } },
    });
    expect(error).toBeNull();
    return client;
  }

  async function register(more: Record<string, unknown> = {}): Promise<Registered> {
    const { data, error } = await app
      .client({ key: app.serviceKey })
      .auth.admin.oauth.createClient({ client_name: 'Planner', redirect_uris: [callback], ...more } as never);
    expect(error).toBeNull();
    const registered = data as Registered;
    if (registered.client_secret !== undefined) records?.keepSecret(registered.client_secret);
    return registered;
  }

  function pkce() {
    const verifier = randomBytes(32).toString('base64url');
    return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
  }

  async function ask(
    parameters: Record<string, string>,
  ): Promise<{ status: number; location: URL | null; body: string }> {
    const answer = await fetch(`${app.url}/auth/v1/oauth/authorize?${new URLSearchParams(parameters)}`, {
      redirect: 'manual',
    });
    const location = answer.headers.get('location');
    return { status: answer.status, location: location === null ? null : new URL(location), body: await answer.text() };
  }

  const request = (client: Registered, challenge: string, more: Record<string, string> = {}) => ({
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: callback,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope: 'openid email read',
    state: 'xyz',
    ...more,
  });

  async function post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await fetch(`${app.url}/auth/v1${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers,
    });
    const text = await answer.text();
    const body = text === '' ? null : JSON.parse(text);
    for (const name of ['access_token', 'refresh_token', 'id_token'])
      if (typeof body?.[name] === 'string') records?.keepSecret(body[name]);
    return { status: answer.status, headers: answer.headers, body };
  }

  /** To the code, with the person's consent. */
  const basic = ({ client_id, client_secret = '' }: Registered) => ({
    authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
  });

  function exchange(
    client: Registered,
    code: string,
    verifier: string,
    more: Record<string, string> = {},
  ): Promise<Answer> {
    const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, ...more };
    return client.client_secret === undefined
      ? post('/oauth/token', { ...fields, client_id: client.client_id })
      : post('/oauth/token', fields, basic(client));
  }

  function refresh(client: Registered, token: string, more: Record<string, string> = {}): Promise<Answer> {
    const fields = { grant_type: 'refresh_token', refresh_token: token, ...more };
    return client.client_secret === undefined
      ? post('/oauth/token', { ...fields, client_id: client.client_id })
      : post('/oauth/token', fields, basic(client));
  }

  return { person, register, pkce, ask, request, post, basic, exchange, refresh };
}

export function openPrograms(app: TestApp) {
  const requests = openRequests(app);
  const { pkce, ask, request, exchange } = requests;

  async function codeFor(
    client: Registered,
    who: SupabaseClient,
    more: Record<string, string> = {},
    choice?: Record<string, unknown>,
  ) {
    const { verifier, challenge } = pkce();
    const { location } = await ask(request(client, challenge, more));
    const id = location?.searchParams.get('authorization_id') ?? '';
    expect(id).not.toBe('');
    const details = await who.auth.oauth.getAuthorizationDetails(id);
    expect(details.error).toBeNull();
    let redirect = details.data !== null && 'redirect_url' in details.data ? details.data.redirect_url : null;
    if (redirect === null) redirect = await consent(who, id, choice);
    const back = new URL(redirect);
    for (const secret of [back.searchParams.get('code'), verifier]) if (secret !== null) records?.keepSecret(secret);
    return { code: back.searchParams.get('code') ?? '', verifier, back };
  }

  async function consent(who: SupabaseClient, id: string, choice?: Record<string, unknown>): Promise<string> {
    if (choice === undefined) {
      const { data, error } = await who.auth.oauth.approveAuthorization(id, { skipBrowserRedirect: true });
      expect(error).toBeNull();
      return data?.redirect_url ?? '';
    }
    const { data } = await who.auth.getSession();
    const answer = await app.call(
      'POST',
      `/auth/v1/oauth/authorizations/${id}/consent`,
      { action: 'approve', ...choice },
      data.session?.access_token,
    );
    expect(answer.status).toBe(200);
    return answer.body.redirect_url;
  }

  async function tokensFor(
    client: Registered,
    who: SupabaseClient,
    more: Record<string, string> = {},
    choice?: Record<string, unknown>,
  ): Promise<Answer> {
    const { code, verifier } = await codeFor(client, who, more, choice);
    return exchange(client, code, verifier);
  }

  return { ...requests, codeFor, consent, tokensFor };
}

export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
