// An origin of its own for files (STORAGE_PUBLIC_URL): only there pages are shown, boxed in, and nothing else is served.

import { request as httpRequest } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { findFreePort } from '../helpers/find-free-port.ts';
import { forSuite } from '../helpers/for-suite.ts';

let own: string;
const page = '<!doctype html><script>document.title = 1</script>';

const app = forSuite(async () => {
  const port = await findFreePort('127.0.0.1');
  own = `http://files.test:${port}`;
  return startApp({ settings: { PORT: String(port), STORAGE_PUBLIC_URL: own } });
});
beforeAll(async () => {
  const { storage } = app.client({ key: app.serviceKey });
  await storage.createBucket('open', { public: true });
  await storage.from('open').upload('page.html', page, { contentType: 'text/html' });
  await storage
    .from('open')
    .upload('drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', { contentType: 'image/svg+xml' });
  await storage.from('open').upload('plain.txt', 'text', { contentType: 'text/plain' });
});

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** To the same server under one of its names. */
function ask(host: string, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ hostname, port, path, method, headers: { host, ...headers } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    asked.on('error', reject);
    asked.end();
  });
}
const there = (path: string, headers = {}, method = 'GET') => ask(new URL(own).host, path, headers, method);
const here = (path: string, headers = {}) => ask(new URL(app.url).host, path, headers);
const address = '/storage/v1/object/public/open/page.html';

test('pages and drawings are shown there, in a box that belongs to no origin', async () => {
  for (const [path, type] of [
    [address, 'text/html'],
    ['/storage/v1/object/public/open/drawing.svg', 'image/svg+xml'],
  ] as const) {
    const { status, headers } = await there(path);
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([200, type, undefined]);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^sandbox /);
    expect(policy).not.toContain('allow-same-origin');
    expect([headers['x-content-type-options'], headers['referrer-policy']]).toEqual(['nosniff', 'no-referrer']);
  }
  expect((await there(`${address}?download=`)).headers['content-disposition']).toContain('attachment');
});

test('here they are saved, or opened there when a browser comes to show them', async () => {
  const saved = await here(address);
  expect(saved.headers['content-disposition']).toContain('attachment');
  expect(saved.headers['content-security-policy']).toContain("default-src 'none'");
  expect(saved.headers.vary).toBe('Sec-Fetch-Dest');
  for (const dest of ['document', 'iframe']) {
    const { status, headers, body } = await here(address, { 'sec-fetch-dest': dest });
    expect([status, headers.location, body]).toEqual([302, `${own}${address}`, '']);
  }
  for (const dest of ['image', 'empty'])
    expect((await here(address, { 'sec-fetch-dest': dest })).headers['content-disposition']).toContain('attachment');
  const opened = { 'sec-fetch-dest': 'document' };
  expect((await here(`${address}?download=x.html`, opened)).headers['content-disposition']).toContain('attachment');
  expect((await here('/storage/v1/object/public/open/plain.txt', opened)).status).toBe(200);
  // With a token nobody is sent on.
  const byToken = { ...opened, authorization: `Bearer ${app.serviceKey}` };
  expect(
    (await here('/storage/v1/object/authenticated/open/page.html', byToken)).headers['content-disposition'],
  ).toContain('attachment');
  const { data } = await app.client({ key: app.serviceKey }).storage.from('open').createSignedUrl('page.html', 60);
  const { pathname, search } = new URL(data?.signedUrl ?? '');
  const signed = await here(`${pathname}${search}`, opened);
  expect([signed.status, signed.headers.location]).toEqual([302, `${own}${pathname}${search}`]);
  expect(await there(`${pathname}${search}`)).toMatchObject({ status: 200, body: page });
});

test('the file origin serves nothing else', async () => {
  for (const path of [
    '/',
    '/app',
    '/health',
    '/auth/v1/settings',
    '/rest/v1/',
    '/storage/v1/bucket',
    '/storage/v1/object/open/page.html',
    '/docs',
  ])
    expect(
      await there(path, { authorization: `Bearer ${app.serviceKey}`, apikey: app.serviceKey }),
      path,
    ).toMatchObject({ status: 404 });
  expect((await there(address, {}, 'PUT')).status).toBe(404);
  expect((await here('/health')).status).toBe(200);
});
