// The proxy configurations of the self-hosting guide, checked by nginx and Caddy as they stand, and then run in front of a
// server that tells what reaches it.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as plainRequest } from 'node:http';
import { type RequestOptions, request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { haveProgram } from '../../scripts/apt.mjs';
import { findFreePort } from '../helpers/find-free-port.ts';
import { filledIn, guideBlock } from '../helpers/guide-block.ts';
import { scratch } from '../helpers/kanbase.ts';
import { aroundNginx, runningProxies } from '../helpers/run-proxy.ts';

const place = scratch('proxies');
const proxies = runningProxies();
/** Answers with the headers that reached it; takes part in an upgrade and then closes. */
const behind = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
  request.resume();
  request.on('end', () => response.end(JSON.stringify({ url: request.url, headers: request.headers })));
});
behind.on('upgrade', (_request, socket) => {
  socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
});

beforeAll(async () => {
  await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await proxies.end();
  behind.closeAllConnections();
  await new Promise((resolve) => behind.close(resolve));
  place.remove();
});

const behindAddress = (): string => `127.0.0.1:${(behind.address() as AddressInfo).port}`;

interface ProxiedResponse {
  readonly status: number;
  readonly seen: { readonly url: string; readonly headers: Readonly<Record<string, string>> } | null;
}

function ask(secure: boolean, options: RequestOptions, body?: Buffer): Promise<ProxiedResponse> {
  return new Promise((resolve, reject) => {
    const read = (response: IncomingMessage): void => {
      let text = '';
      response.on('data', (part: Buffer) => {
        text += part.toString();
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, seen: response.statusCode === 200 ? JSON.parse(text) : null }),
      );
    };
    const all = { host: '127.0.0.1', rejectUnauthorized: false, agent: false, ...options };
    const sent = secure ? secureRequest(all, read) : plainRequest(all, read);
    sent.once('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, seen: null });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

const socketHeaders = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

async function expectToServe(secure: boolean, port: number): Promise<void> {
  const headers = { Host: 'boards.example.com' };
  const { seen } = await ask(secure, { port, path: '/rest/v1/tasks?select=*', headers });
  expect(seen?.url).toBe('/rest/v1/tasks?select=*');
  expect(seen?.headers).toMatchObject({
    host: 'boards.example.com',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': secure ? 'https' : 'http',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{32,36}$/),
  });
  expect(seen?.headers).not.toHaveProperty('upgrade');
  const long = `/rest/v1/tasks?id=in.(${'0190b0c8-0000-7000-8000-00000000000a,'.repeat(800)})`;
  expect((await ask(secure, { port, path: long, headers })).status).toBe(200);
  const post = (bytes: number) => ask(secure, { port, path: '/', method: 'POST', headers }, Buffer.alloc(bytes));
  // A file to be imported, the largest that is taken.
  expect((await post(64 * 1024 * 1024)).status).toBe(200);
  expect(
    (await ask(secure, { port, path: '/realtime/v1/websocket', headers: { ...headers, ...socketHeaders } })).status,
  ).toBe(101);
}

describe('nginx', () => {
  const block = guideBlock('run/self-hosting', 'nginx', 'server_name');
  const certificates = join(place.path, 'certificates');
  const around = (inside: string): string => aroundNginx(place.path, inside);

  test('takes the block of the guide as it stands, and serves with it', async () => {
    expect(haveProgram('nginx-light')).toBe(true);
    mkdirSync(certificates);
    const made = spawnSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=boards.example.com'],
        ...['-keyout', join(certificates, 'privkey.pem'), '-out', join(certificates, 'fullchain.pem')],
      ],
      { encoding: 'utf8' },
    );
    expect(made.status, made.stderr).toBe(0);
    const file = join(place.path, 'nginx.conf');
    const written = filledIn(block, { '/etc/letsencrypt/live/boards.example.com': certificates });
    writeFileSync(file, around(written));
    const checked = spawnSync('/usr/sbin/nginx', ['-t', '-c', file, '-p', place.path], { encoding: 'utf8' });
    expect(checked.stderr).toContain('test is successful');
    expect(checked.stderr).not.toContain('[warn]');

    const port = await findFreePort('127.0.0.1');
    writeFileSync(
      file,
      around(filledIn(written, { 'listen 443': `listen 127.0.0.1:${port}`, '127.0.0.1:3000': behindAddress() })),
    );
    await proxies.launch(['/usr/sbin/nginx', '-c', file, '-p', place.path], { port });
    await expectToServe(true, port);
    const headers = { Host: 'boards.example.com', 'Content-Length': String(1025 * 1024 * 1024) };
    expect((await ask(true, { port, path: '/', method: 'POST', headers })).status).toBe(413);
    expect(readFileSync(file, 'utf8')).not.toContain('127.0.0.1:3000');
  });
});

describe('Caddy', () => {
  const block = guideBlock('run/self-hosting', 'caddyfile', 'reverse_proxy');
  const env = { HOME: place.path, XDG_DATA_HOME: place.path, XDG_CONFIG_HOME: place.path };

  test('takes the block of the guide as it stands, and serves with it', async () => {
    expect(haveProgram('caddy')).toBe(true);
    const file = join(place.path, 'Caddyfile');
    writeFileSync(file, block);
    const checked = spawnSync('/usr/bin/caddy', ['validate', '--adapter', 'caddyfile', '--config', file], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
    expect(checked.stdout + checked.stderr).toContain('Valid configuration');
    expect(checked.stderr).not.toContain('not formatted');

    const port = await findFreePort('127.0.0.1');
    const here = filledIn(block, {
      'boards.example.com {': `http://:${port} {\n\tbind 127.0.0.1`,
      '127.0.0.1:3000': behindAddress(),
    });
    writeFileSync(file, `{\n\tadmin off\n}\n${here}`);
    await proxies.launch(['/usr/bin/caddy', 'run', '--adapter', 'caddyfile', '--config', file], { port }, env);
    await expectToServe(false, port);
  });
});
