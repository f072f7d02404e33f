// Callers: keys and tokens, their settings in SQL, the pre-request function, and APIs without keys.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { type Api, expectReply, MINE, startApi } from './api.ts';

const api = forSuite(() => startApi({ DATA_PRE_REQUEST: 'harbour.at_the_gate' }));

describe('API key and bearer token', () => {
  const shape = {
    code: expect.any(String),
    message: expect.any(String),
    details: null,
    hint: expect.toBeOneOf([null, expect.any(String)]),
  };

  test('a request with neither of them is 401', async () => {
    const reply = await api.get('/sailors', { as: null });
    expectReply(reply, {
      status: 401,
      json: shape,
      headers: { 'www-authenticate': /^Bearer/, 'content-type': 'application/json; charset=utf-8' },
    });
  });

  test.each([
    ['a wrong apikey alone', () => ({ apikey: 'nonsense' })],
    ['Authorization alone', (h: Api) => ({ authorization: `Bearer ${h.anonKey}` })],
    ['a wrong apikey', (h: Api) => ({ apikey: 'nonsense', authorization: `Bearer ${h.anonKey}` })],
    ['a wrong token', (h: Api) => ({ apikey: h.anonKey, authorization: 'Bearer nonsense' })],
    ['an empty token', (h: Api) => ({ apikey: h.anonKey, authorization: 'Bearer ' })],
    ['another scheme', (h: Api) => ({ apikey: h.anonKey, authorization: 'Basic YTpi' })],
  ])('%s', async (_name, headers) => {
    expectReply(await api.get('/sailors', { as: null, headers: headers(api) }), { status: 401, json: shape });
  });

  test.each([
    ['of tables', 'GET', '/sailors'],
    ['of procedures', 'POST', '/rpc/nothing_of_that_name'],
    ['the root', 'GET', '/'],
  ])('a key alone, %s', async (_name, method, path) => {
    for (const key of [api.anonKey, api.app.serviceKey])
      for (const [url, headers] of [
        [path, { apikey: key }],
        [`${path}?apikey=${key}`, {}],
      ] as const) {
        const answer = await fetch(`${api.app.url}/rest/v1${url}`, { method, headers });
        expect([url, answer.status]).toEqual([url, 401]);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
        expect(await answer.json()).toMatchObject({
          message: 'No Authorization header found in request',
          details: expect.stringContaining('Authorization: Bearer <token>'),
        });
      }
  });

  test('a key alone, where the setting allows', async () => {
    const open = await startApi({ DATA_KEY_ALONE: 'true' });
    try {
      expect((await open.get('/sailors', { as: null, headers: { apikey: open.anonKey } })).status).toBe(200);
      expect((await open.get(`/sailors?apikey=${open.anonKey}`, { as: null })).status).toBe(200);
      expect((await open.get('/sailors', { as: null, headers: { apikey: 'nonsense' } })).status).toBe(401);
    } finally {
      await open.app.close();
    }
  });

  test('a token signed by someone else, or too old', async () => {
    const [head, body] = api.anonKey.split('.');
    expectReply(await api.get('/sailors', { as: `${head}.${body}.c2lnbmF0dXJl` }), {
      status: 401,
      json: expect.objectContaining({ code: 'PGRST301' }),
    });
    const old = await api.app.services.sessions.sign({ role: 'authenticated', exp: 1_000_000_000 }, 3600);
    expect((await api.get('/sailors', { as: old })).status).toBeOneOf([200, 401]);
  });

  test('any role granted to the authenticator may stand in a token', async () => {
    const master = await api.token({ role: 'harbour_master' });
    expectReply(await api.get('/letters?select=id&order=id', { as: master }), {
      json: [{ id: 1 }, { id: 2 }, { id: 3 }],
    });
    const ghost = await api.token({ role: 'nobody_like_that' });
    const reply = await api.get('/letters', { as: ghost });
    expect(reply.status).toBeOneOf([401, 403]);
  });
});

describe('without keys, where the setting allows', () => {
  test('the caller is anonymous', async () => {
    const open = await startApi({ DATA_ANONYMOUS: 'true' });
    try {
      expectReply(await open.get('/sailors?id=eq.1', { as: null }), { json: [{ id: 1, name: 'Sven' }] });
      expectReply(await open.get('/ledger', { as: null }), {
        status: 401,
        json: expect.objectContaining({ code: '42501' }),
      });
      const bearing = (authorization: string) =>
        open.get('/rpc/describe_request', { as: null, headers: { authorization } });
      expectReply(await bearing('Bearer nonsense'), {
        status: 401,
        json: { code: 'PGRST301', message: 'Expected 3 parts in JWT; got 1', details: null, hint: null },
      });
      const token = await open.token({ sub: '00000000-0000-4000-8000-000000000001' });
      expectReply(await bearing(`Bearer ${token}`), { json: expect.objectContaining({ role: 'authenticated' }) });
      expectReply(await bearing('Basic c29tZTpib2R5'), { json: expect.objectContaining({ role: 'anon' }) });
    } finally {
      await open.stop();
    }
  });
});

describe('request settings in SQL', () => {
  test('headers, cookies, method, path, claims, role', async () => {
    const token = await api.token({ sub: MINE, extra: { nested: [1] } });
    const reply = await api.get('/rpc/describe_request', {
      as: token,
      headers: { 'X-Custom': 'Väl', cookie: 'a=1; b=two words', 'user-agent': 'tester' },
    });
    expect(reply.json).toMatchObject({
      method: 'GET',
      role: 'authenticated',
      read_only: 'on',
      cookies: { a: '1', b: 'two words' },
      headers: { 'user-agent': 'tester', host: expect.any(String) },
      claims: { sub: MINE, role: 'authenticated', extra: { nested: [1] } },
    });
    expect((reply.json as { path: string }).path).toMatch(/\/rpc\/describe_request$/);
    expect((reply.json as { headers: object }).headers).not.toHaveProperty('cookie');
    expect((reply.json as { search_path: string }).search_path).toMatch(/^"?harbour"?, ?"?public"?$/);
  });

  test('as anonymous', async () => {
    expect((await api.get('/rpc/describe_request')).json).toMatchObject({ role: 'anon', claims: { role: 'anon' } });
    const unsaid = await api.token({ sub: MINE, role: undefined });
    expect((await api.get('/rpc/describe_request', { as: unsaid })).json).toMatchObject({
      role: 'anon',
      claims: { sub: MINE, role: 'anon' },
    });
    expect((await api.post('/rpc/describe_write', {})).json).toMatchObject({ role: 'anon', method: 'POST' });
  });
});

describe('the function at the gate', () => {
  test.each([
    ['read', '/sailors?limit=1', ''],
    ['read and counted', '/sailors?limit=1', 'count=exact'],
    ['read and estimated', '/sailors?limit=1', 'count=estimated'],
    ['read and planned', '/sailors?limit=1', 'count=planned'],
    ['read at any length and planned', '/sailors', 'count=planned'],
  ])('runs once for what is %s', async (_what, path, prefer) => {
    const runs: string[] = [];
    let atLast = (): void => undefined;
    const last = new Promise<void>((resolve) => {
      atLast = resolve;
    });
    const stop = await api.app.database.listen('gate', (run) => (run === 'last' ? atLast() : runs.push(run)));
    const reply = await api.get(path, { prefer, headers: { 'x-counted': 'yes' } });
    expect(reply.status).toBeOneOf([200, 206]);
    await api.sql("notify gate, 'last'");
    await last;
    await stop();
    expect(runs).toHaveLength(1);
  });

  test('may refuse, speak and change the role', async () => {
    expectReply(await api.get('/sailors', { headers: { 'x-refuse': 'yes' } }), {
      status: 418,
      json: { code: 'PT418', message: 'Turned away at the gate', details: null, hint: 'Come back tomorrow' },
    });
    expectReply(await api.get('/sailors?limit=1', { headers: { 'x-stamp': 'seen' } }), {
      headers: { 'x-stamped': 'seen' },
    });
    expectReply(await api.ask('DELETE', '/drawer?id=eq.99', { headers: { 'x-stamp': 'seen' } }), {
      status: 204,
      headers: { 'x-stamped': 'seen' },
    });
    const reply = await api.get('/rpc/describe_request', {
      as: api.serviceKey,
      headers: { 'x-become': 'master' },
    });
    expect(reply.json).toMatchObject({ role: 'harbour_master' });
  });
});

describe('a 401 leads programs to where tokens come from', () => {
  test.each([
    ['GET', '/sailors', 'read'],
    ['POST', '/sailors', 'write'],
    ['DELETE', '/sailors?id=eq.1', 'write'],
  ])('%s %s', async (method, path, scope) => {
    for (const headers of [[], [['authorization', 'Bearer nonsense']]] as [string, string][][]) {
      const answer = await fetch(`${api.app.url}/rest/v1${path}`, {
        method,
        headers: [...headers, ['origin', 'https://app.example']],
      });
      expect(answer.status).toBe(401);
      const challenge = answer.headers.get('www-authenticate') ?? '';
      expect(challenge).toMatch(new RegExp(`^Bearer .*scope="${scope}"$`));
      expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
      const address = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
      const metadata = await (await fetch(address)).json();
      expect(metadata).toMatchObject({
        resource: `${api.app.url}/rest/v1`,
        scopes_supported: expect.arrayContaining([scope]),
      });
      expect((await fetch(`${metadata.authorization_servers[0]}/.well-known/openid-configuration`)).status).toBe(200);
    }
  });

  test('at the live door, too', async () => {
    const sent = await fetch(`${api.app.url}/realtime/v1/api/broadcast`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', apikey: 'nonsense' },
      body: '{"messages":[]}',
    });
    expect([sent.status, sent.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${api.app.url}/.well-known/oauth-protected-resource/realtime/v1", scope="write"`,
    ]);
  });
});
