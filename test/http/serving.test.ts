// The frame by the door users enter: health, ids, limits, unknown paths, cross-origin rules, metrics, logs.

import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../server/config/read-config.ts';
import { openLog } from '../../server/open-log.ts';
import { startApp, type TestApp } from '../helpers/app.ts';

/** What a request gets that names another host than it goes to. */
function statusUnder(host: string, path: string): Promise<number> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: hostname, port, path, headers: { host } }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end();
  });
}

let app: TestApp;
const logged: string[] = [];
beforeAll(async () => {
  const { config } = readConfig({ env: { LOG_LEVEL: 'trace' } });
  const log = openLog(config, { write: (line) => void logged.push(line) });
  app = await startApp({ settings: { HTTP_BODY_LIMIT: '20000', TRUST_PROXY: 'loopback', LOG_LEVEL: 'trace' }, log });
});
afterAll(() => app.close());

describe('operations', () => {
  test('the process says that it is up, and that it can serve', async () => {
    for (const [path, status] of [
      ['/health', 'ok'],
      ['/ready', 'ready'],
    ]) {
      const answer = await fetch(app.url + path);
      expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ status })]);
    }
  });

  test('a database that lacks a migration, or has one we do not know, is not ready', async () => {
    const own = await startApp();
    await own.sql("update private.migrations set name = '9999_from_the_future.sql' where name = '0010_roles.sql'");
    const answer = await fetch(`${own.url}/ready`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({
      status: 'unavailable',
      hint: expect.stringContaining('kanbase doctor'),
    });
    expect((await fetch(`${own.url}/health`)).status).toBe(200);
    await own.close();
  });

  test('metrics are for this machine, and for whoever has the token', async () => {
    const metrics = (one: TestApp, headers: Record<string, string>) => fetch(`${one.url}/metrics`, { headers });
    for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'via', 'x-real-ip', 'cf-connecting-ip']) {
      const answer = await metrics(app, { [name]: '203.0.113.5' });
      expect([name, answer.status]).toEqual([name, 401]);
      expect(await answer.json()).toMatchObject({ hint: expect.stringContaining('METRICS_TOKEN') });
    }
    // A page elsewhere whose name was made to point here asks under its own name.
    for (const host of ['evil.test', '127.evil.test', 'localhost.evil.test'])
      expect([host, await statusUnder(host, '/metrics')]).toEqual([host, 401]);
    expect(await statusUnder('localhost', '/metrics')).toBe(200);
    const token = 'a token of this test';
    await expect(startApp({ settings: { METRICS_TOKEN: token } })).rejects.toThrow(/METRICS_TOKEN.*16 characters/);
    const open = await startApp({ settings: { METRICS_TOKEN: token.replaceAll(' ', '-') } });
    const away = { via: '1.1 proxy' };
    const status = async (sent: string) => (await metrics(open, { ...away, authorization: sent })).status;
    expect(await status('Bearer a-token-of-this-test')).toBe(200);
    expect(await status('Bearer a-token-of-that-test')).toBe(401);
    expect(await status('Bearer null')).toBe(401);
    expect((await metrics(open, away)).status).toBe(401);
    await open.close();
  });

  test('metrics count requests by route and status, and show the pool', async () => {
    await fetch(`${app.url}/health`);
    const answer = await fetch(`${app.url}/metrics`);
    const text = await answer.text();
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(text).toMatch(/kanbase_http_requests_total\{route="\/health",method="GET",status="200"\} [1-9]/);
    expect(text).toMatch(
      /kanbase_http_request_duration_seconds_bucket\{route="\/health",method="GET",status="200",le="\+Inf"\} [1-9]/,
    );
    for (const name of [
      'kanbase_database_connections',
      'kanbase_database_queue',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_seconds',
    ])
      expect(text).toMatch(new RegExp(`^${name} `, 'm'));
    // Every line is a comment or a sample.
    for (const line of text.trim().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) .+|[a-z_0-9]+(\{.*\})? [\d.e+-]+|)$/i);
  });
});

describe('requests', () => {
  test('have an id: the one a proxy gave, or one of our own', async () => {
    const given = await fetch(`${app.url}/health`, { headers: { 'x-request-id': 'proxy-7' } });
    expect(given.headers.get('x-request-id')).toBe('proxy-7');
    const own = await fetch(`${app.url}/health`, { headers: { 'x-request-id': 'two words\u00e9' } });
    expect(own.headers.get('x-request-id')).toMatch(/^[\w-]+-[0-9a-z]+$/);
  });

  test('for a path that is not served answer 404 as JSON', async () => {
    const answer = await fetch(`${app.url}/api/nothing?token=x`, { method: 'POST' });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'KB404', error: 'Nothing is served at POST /api/nothing' });
  });

  test('with a body over the limit answer 413', async () => {
    const answer = await fetch(`${app.url}/api/lead`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'x'.repeat(30_000) }),
    });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ error: expect.stringContaining('too large') });
  });

  test('with headers over the limit answer 431 and say so', async () => {
    const answer = await raw(`GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 431 /);
    expect(answer).toContain('"code":"KB431"');
  });

  test('with long addresses are served: filters may be long', async () => {
    const answer = await fetch(`${app.url}/health?x=${'x'.repeat(40_000)}`);
    expect(answer.status).toBe(200);
  });

  test('that are no HTTP answer 400', async () => {
    expect(await raw('HELO there\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"KB400"/);
  });

  test('keep their connection longer than proxies do', async () => {
    const answer = await fetch(`${app.url}/health`);
    expect(answer.headers.get('connection')).toBe('keep-alive');
    // nginx: 60 s, most load balancers: 60 s.
    expect(Number(/timeout=(\d+)/.exec(answer.headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(65);
  });
});

describe('other origins', () => {
  const preflight = (path: string): Promise<Response> =>
    fetch(app.url + path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://elsewhere.test',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'apikey,authorization,x-client-info',
      },
    });

  test.each(['/rest/v1/tasks', '/auth/v1/token?grant_type=password'])('may ask %s for anything', async (path) => {
    const answer = await preflight(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(answer.headers.get('access-control-allow-headers')).toBe('apikey,authorization,x-client-info');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('read the answers of the API doors, errors too', async () => {
    const answer = await fetch(`${app.url}/auth/v1/user`, { headers: { origin: 'https://elsewhere.test' } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toContain('Content-Range');
  });

  test.each(['/api/lead', '/', '/rest/v10', '/health'])('have no business at %s', async (path) => {
    const answer = await preflight(path);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('pages', () => {
  test('allow only our own scripts, no frames, no sniffing', async () => {
    const answer = await fetch(`${app.url}/`, { headers: { accept: 'text/html' } });
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  });
});

describe('logs', () => {
  test('show who asked through a trusted proxy', async () => {
    await fetch(`${app.url}/health`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(logged.some((line) => line.includes('"ip":"203.0.113.9"'))).toBe(true);
  });

  test('never hold tokens, passwords, keys or cookies', async () => {
    const password = 'hunter2-is-a-long-password';
    const user = await app.createUser();
    await app.request('/auth/v1/signup', {
      method: 'POST',
      body: JSON.stringify({ email: 'log@example.test', password }),
    });
    await app.request(`/rest/v1/projects?select=id&apikey=${app.anonKey}`, { token: user.token });
    await app.request('/rest/v1/projects', { token: `${user.token}x` });
    await fetch(`${app.url}/app`, { headers: { cookie: `sb-kanbase-auth-token=base64-${user.token}` } });
    const all = logged.join('');
    expect(all).toContain('"msg"');
    for (const secret of [password, user.token, app.anonKey, app.serviceKey]) expect(all).not.toContain(secret);
  });
});

function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setEncoding('utf8').on('data', (part) => {
      answer += part;
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(answer) : reject(error),
    );
    socket.on('close', () => resolve(answer));
  });
}

test('a request in flight is finished when the server closes, then nobody is let in', async () => {
  const own = await startApp();
  const { hostname, port } = new URL(own.url);
  let closed: Promise<void> | undefined;
  const slow = new Promise<unknown[]>((resolve, reject) => {
    const sent = httpRequest(
      {
        host: hostname,
        port,
        path: '/api/lead',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': 2, expect: '100-continue' },
      },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve([answer.statusCode, answer.headers.connection]));
      },
    );
    sent.on('error', reject);
    // The server has the request and wants its body: now it begins to close.
    sent.on('continue', () => {
      closed = own.close();
      sent.end('{}');
    });
  });
  expect(await slow).toEqual([400, 'close']);
  await closed;
  await expect(fetch(`${own.url}/health`)).rejects.toThrow();
});

test('a connection on which nothing was asked does not hold up the end', async () => {
  const own = await startApp();
  const { hostname, port } = new URL(own.url);
  const silent = connect(Number(port), hostname);
  const ended = new Promise((resolve) => silent.once('close', resolve));
  await new Promise((resolve) => silent.once('connect', resolve));
  // Who came later was let in: so was the silent one.
  expect((await fetch(`${own.url}/health`)).status).toBe(200);
  await own.close();
  await ended;
});
