// The frame by the door users enter: health, ids, limits, unknown paths, cross-origin rules, metrics, logs.

import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../server/config/read-config.ts';
import { openLog } from '../../server/open-log.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

/** What a request gets that names another host than it goes to. */
function statusUnder(host: string, path: string): Promise<number> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: hostname, port, path, headers: { host } }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end();
  });
}

const logged: string[] = [];
const app = forSuite(() => {
  const { config } = readConfig({ env: { LOG_LEVEL: 'trace' } });
  const log = openLog(config, { write: (line) => void logged.push(line) });
  const settings = { TRUST_PROXY: 'loopback', METRICS_ADDRESSES: 'loopback' };
  return startApp({ settings: { HTTP_BODY_LIMIT: '20000', LOG_LEVEL: 'trace', ...settings }, log });
});

describe('operations', () => {
  test('the process says that it is up, and that it can serve', async () => {
    for (const [path, status] of [
      ['/health', 'ok'],
      ['/ready', 'ready'],
    ]) {
      const response = await fetch(app.url + path);
      expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ status })]);
    }
  });

  test('a database that lacks a migration, or has one we do not know, is not ready', async () => {
    const own = await startApp();
    await own.sql("update private.migrations set name = '9999_from_the_future.sql' where name = '0001_ground.sql'");
    const response = await fetch(`${own.url}/ready`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toMatchObject({
      status: 'unavailable',
      hint: expect.stringContaining('kanbase doctor'),
    });
    expect((await fetch(`${own.url}/health`)).status).toBe(200);
    await own.close();
  });

  test('a request counts once, by whatever way it comes in', async () => {
    const counted = async (): Promise<number> => {
      const text = await (await fetch(`${app.url}/metrics`)).text();
      const counts = [...text.matchAll(/^kanbase_http_requests_total\{route="([^"]*)".*\} (\d+)$/gm)];
      // Under whatever route; asking for the figures counts, too.
      return counts.reduce((sum, [, route, count]) => (route === '/metrics' ? sum : sum + Number(count)), 0);
    };
    const before = await counted();
    const keys = { apikey: app.serviceKey, authorization: `Bearer ${app.serviceKey}` };
    const ways = [
      () => app.request('/rest/v1/projects?limit=1', { headers: keys }),
      () => app.request('/rest/v1', { headers: keys }),
      () => app.services.fetch(`${app.services.siteUrl}/rest/v1/projects?limit=1`, { headers: keys }),
      () => app.request('/rest/v1/nothing-of-that-name', { headers: keys }),
    ];
    for (const [index, ask] of ways.entries()) {
      await (await ask()).text();
      await expect.poll(counted).toBe(before + index + 1);
    }
    // What would have been counted again has been by now.
    await app.request('/health');
    await expect.poll(counted).toBe(before + ways.length + 1);
  });

  test('metrics are for addresses that one named, not through a proxy, and for the token', async () => {
    const metrics = (one: TestApp, headers: Record<string, string>) => fetch(`${one.url}/metrics`, { headers });
    for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'via', 'x-real-ip', 'cf-connecting-ip']) {
      const behind = await startApp({ settings: { METRICS_ADDRESSES: '127.0.0.1' } });
      expect([name, (await metrics(behind, {})).status]).toEqual([name, 200]);
      const response = await metrics(behind, { [name]: '203.0.113.5' });
      expect([name, response.status]).toEqual([name, 401]);
      expect(await response.json()).toMatchObject({ hint: expect.stringContaining('METRICS_TOKEN') });
      // From then on it is known as the address of a proxy, whoever asks from there.
      expect([name, (await metrics(behind, {})).status]).toEqual([name, 401]);
      await behind.close();
    }
    const unset = await startApp();
    expect((await metrics(unset, {})).status).toBe(401);
    await unset.close();
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
    const response = await fetch(`${app.url}/metrics`);
    const text = await response.text();
    expect(response.headers.get('content-type')).toContain('text/plain');
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
    const response = await fetch(`${app.url}/api/nothing?token=x`, { method: 'POST' });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'KB404', error: 'Nothing is served at POST /api/nothing' });
  });

  test('with a body over the limit answer 413', async () => {
    const response = await fetch(`${app.url}/api/lead`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'x'.repeat(30_000) }),
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: expect.stringContaining('too large') });
  });

  test('with headers over the limit answer 431 and say so', async () => {
    const response = await raw(`GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1.1 431 /);
    expect(response).toContain('"code":"KB431"');
  });

  test('with headers over the limit, of which only the head is asked for, have no body', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { 'x-long': 'x'.repeat(200_000) };
      const asked = httpRequest(`${app.url}/health`, { method: 'HEAD', headers }, (response) => {
        response.on('error', reject).on('end', () => resolve(response.statusCode));
        response.resume();
      });
      asked.on('error', reject).end();
    });
    expect(status).toBe(431);
  });

  test('with long addresses are served: filters may be long', async () => {
    const response = await fetch(`${app.url}/health?x=${'x'.repeat(40_000)}`);
    expect(response.status).toBe(200);
  });

  test('that are no HTTP answer 400', async () => {
    expect(await raw('HELO there\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"KB400"/);
  });

  test('for a head alone are refused without a body, too', async () => {
    const head = await raw('HEAD / HTTP/1.1\r\nHost: x\r\nNot a header\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 400 /);
    expect(head.endsWith('\r\n\r\n')).toBe(true);
  });

  test('are answered once, whatever comes behind the last of a connection', async () => {
    const answers = await raw('HEAD /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n{"more": 1}');
    expect(answers).toMatch(/^HTTP\/1.1 200 /);
    expect(answers.match(/HTTP\/1.1 /g)).toHaveLength(1);
  });

  test('keep their connection longer than proxies do', async () => {
    const response = await fetch(`${app.url}/health`);
    expect(response.headers.get('connection')).toBe('keep-alive');
    // nginx: 60 s, most load balancers: 60 s.
    expect(Number(/timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(65);
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
    const response = await preflight(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(response.headers.get('access-control-allow-headers')).toBe('apikey,authorization,x-client-info');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('read the answers of the API doors, errors too', async () => {
    const response = await fetch(`${app.url}/auth/v1/user`, { headers: { origin: 'https://elsewhere.test' } });
    expect(response.status).toBe(401);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toContain('Content-Range');
  });

  test.each(['/api/lead', '/', '/rest/v10', '/health'])('have no business at %s', async (path) => {
    const response = await preflight(path);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('pages', () => {
  test('allow only our own scripts, no frames, no sniffing', async () => {
    const response = await fetch(`${app.url}/`, { headers: { accept: 'text/html' } });
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    // Pictures from elsewhere would tell their server who reads.
    expect(policy).toContain("img-src 'self' data: blob:;");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('referrer-policy')).toBe('strict-origin');
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
    let response = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setEncoding('utf8').on('data', (part) => {
      response += part;
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(response) : reject(error),
    );
    socket.on('close', () => resolve(response));
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
      (response) => {
        response.resume();
        response.on('end', () => resolve([response.statusCode, response.headers.connection]));
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

test.each([
  ['/health', 200, '"ok"'],
  // A proxy that asks by it sends nothing more.
  ['/ready', 503, 'The service stops'],
  // A room that asks another one.
  ['/api/settings', 200, '"signup"'],
])(
  'a connection whose first request is on its way when the server stops gets an answer: %s',
  async (path, status, words) => {
    const own = await startApp();
    const { hostname, port } = new URL(own.url);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    // Another request after the connection was made: the server knows of it now.
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    await fetch(`${own.url}/health`);
    const closing = own.close();
    await expect
      .poll(() =>
        fetch(`${own.url}/health`).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
    await ended;
    expect([received.split(' ')[1], received]).toEqual([String(status), expect.stringContaining(words)]);
    await closing;
  },
);

test('while writes find no room on the disk of the database the service is not ready', async () => {
  const own = await startApp({
    prepare: `create function public.no_room() returns void language plpgsql as
        $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
      grant execute on function public.no_room() to anon`,
  });
  expect((await fetch(`${own.url}/ready`)).status).toBe(200);
  const headers = { 'content-type': 'application/json' };
  const write = await own.request('/rest/v1/rpc/no_room', { method: 'POST', body: '{}', headers });
  expect(write.status).toBe(503);
  const ready = await fetch(`${own.url}/ready`);
  expect([ready.status, ((await ready.json()) as { error: string }).error]).toEqual([
    503,
    'Writes fail: the disk of the database is full',
  ]);
  await own.close();
});

test('with little free space on the disk of its data the service is not ready', async () => {
  const own = await startApp({ settings: { READY_FREE_BYTES: '1000000000000000' } });
  const ready = await fetch(`${own.url}/ready`);
  expect([ready.status, ((await ready.json()) as { error: string }).error]).toEqual([
    503,
    'The disk of the data directory is nearly full',
  ]);
  await own.close();
});
