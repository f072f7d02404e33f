// Clients that no administrator registered: by a document that the server fetches, and by themselves where that is switched on. Documents that
// point inward are not asked for.

import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchDocument } from '../../../server/identity/oauth/fetch-document.ts';
import { startApp } from '../../helpers/app.ts';
import { forSuite } from '../../helpers/for-suite.ts';
import { callback, claimsOf, openPrograms } from './program.ts';

const app = forSuite(() =>
  startApp({ settings: { AUTH_OAUTH_DOCUMENT_NETWORKS: '127.0.0.1', AUTH_OAUTH_CLIENTS: 'open' } }),
);
const usual = forSuite(startApp);
const programs = openPrograms(app);

let site: Server;
let origin = '';
const asked: string[] = [];
const answers: Record<string, (id: string) => { status?: number; type?: string; location?: string; body: unknown }> = {
  '/good.json': (id) => ({
    body: { client_id: id, client_name: 'Listed', redirect_uris: [callback], token_endpoint_auth_method: 'none' },
  }),
  '/other.json': () => ({
    body: { client_id: 'https://other.example/app', client_name: 'X', redirect_uris: [callback] },
  }),
  '/secret.json': (id) => ({
    body: { client_id: id, client_secret: 'x', client_name: 'X', redirect_uris: [callback] },
  }),
  '/wild.json': (id) => ({ body: { client_id: id, client_name: 'X', redirect_uris: ['https://program.example/*'] } }),
  '/moved.json': () => ({ status: 302, location: '/good.json', body: {} }),
  '/page.json': (id) => ({ type: 'text/html', body: { client_id: id, client_name: 'X', redirect_uris: [callback] } }),
  '/large.json': (id) => ({
    body: { client_id: id, client_name: 'X', redirect_uris: [callback], x: 'x'.repeat(100_000) },
  }),
};

beforeAll(async () => {
  site = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const {
      status = 200,
      type = 'application/json',
      location,
      body,
    } = answers[path]?.(origin + path) ?? { status: 404, body: {} };
    response.writeHead(status, { 'content-type': type, ...(location === undefined ? {} : { location }) });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => site.close(resolve)));

test('a document is read once, and its client is let in under its address', async () => {
  const client = { client_id: `${origin}/good.json` };
  const ada = await programs.person();
  const { body } = await programs.tokensFor(client, ada);
  expect(claimsOf(body.access_token).client_id).toBe(client.client_id);
  expect((await ada.auth.oauth.listGrants()).data).toMatchObject([
    { client: { id: client.client_id, name: 'Listed' } },
  ]);
  expect((await programs.refresh(client, body.refresh_token)).status).toBe(200);
  await programs.tokensFor(client, ada, { prompt: 'consent' });
  expect(asked.filter((path) => path === '/good.json')).toHaveLength(1);
  expect((await ada.auth.oauth.revokeGrant({ clientId: client.client_id })).error).toBeNull();
});

test.each(['/other.json', '/secret.json', '/wild.json', '/moved.json', '/page.json', '/large.json', '/none.json'])(
  'the document %s is refused',
  async (path) => {
    const request = programs.request({ client_id: origin + path }, programs.pkce().challenge);
    const { status, location, body } = await programs.ask(request);
    expect([status, location, JSON.parse(body).error]).toEqual([400, null, 'invalid_client']);
  },
);

test('the token endpoint fetches nothing', async () => {
  const before = asked.length;
  const answer = await programs.refresh({ client_id: `${origin}/never-seen.json` }, 'x');
  expect(answer.body.error).toBe('invalid_client');
  expect(asked).toHaveLength(before);
});

test('documents that point inward are not asked for, however they are spelt', async () => {
  let connections = 0;
  const inner = createSocket((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
  const { port } = inner.address() as AddressInfo;
  const { request, pkce } = openPrograms(usual);
  const ask = openPrograms(usual).ask;
  for (const id of [
    ...['127.0.0.1', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', 'localhost', '0.0.0.0'].map(
      (host) => `https://${host}:${port}/app`,
    ),
    ...['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[::]'].map(
      (host) => `https://${host}:${port}/app`,
    ),
    ...['169.254.169.254', '10.0.0.1', '192.168.0.1', '100.64.0.1', '[fd00::1]', '[fe80::1]'].map(
      (host) => `https://${host}/app`,
    ),
    `http://127.0.0.1:${port}/app`,
    `https://a@127.0.0.1:${port}/app`,
    `https://127.0.0.1:${port}/a/../app`,
    `https://127.0.0.1:${port}`,
    `file:///etc/passwd`,
    `gopher://127.0.0.1:${port}/app`,
  ]) {
    const { status, location } = await ask(request({ client_id: id }, pkce().challenge));
    expect([id, status, location]).toEqual([id, 400, null]);
  }
  expect(connections).toBe(0);
  await new Promise((resolve) => inner.close(resolve));
});

test('documents of the internet are asked for at port 443 alone', async () => {
  for (const id of ['https://1.1.1.1:22/app', 'https://1.1.1.1:8443/app', 'https://[2606:4700::1]:80/app'])
    await expect(fetchDocument(new URL(id), ['127.0.0.1'])).rejects.toThrow('port');
});

test('a program registers itself only where that is switched on', async () => {
  const body = JSON.stringify({
    client_name: 'Self',
    redirect_uris: ['http://127.0.0.1/done'],
    token_endpoint_auth_method: 'none',
  });
  const register = (url: string) =>
    fetch(`${url}/auth/v1/oauth/register`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  expect((await register(usual.url)).status).toBe(404);
  const answer = await register(app.url);
  expect(answer.status).toBe(201);
  const made = (await answer.json()) as { client_id: string; registration_type: string };
  expect(made.registration_type).toBe('dynamic');
  const ada = await programs.person();
  const { body: tokens } = await programs.tokensFor(made, ada, { redirect_uri: 'http://127.0.0.1:5000/done' });
  expect(tokens.scope).toBe('openid email read');
});
