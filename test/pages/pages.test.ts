// The built pages as a browser asks for them, over a small directory that stands for dist/web.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { scratch } from '../helpers/kanbase.ts';

const place = scratch('pages');
const directory = place.path;
afterAll(() => {
  place.remove();
  rmSync(join(tmpdir(), 'kanbase-secret.txt'), { force: true });
});
const app = forSuite(() => {
  mkdirSync(join(directory, 'assets'));
  const page = (title: string) =>
    `<!doctype html><html><head><meta name="kanbase-settings" content="{}"><title>${title}</title></head><body>${'x'.repeat(2000)}</body></html>`;
  for (const name of ['index', 'app', '404', 'error']) writeFileSync(join(directory, `${name}.html`), page(name));
  for (const name of ['index', 'app', '404'])
    writeFileSync(join(directory, `${name}.de.html`), page(`${name} auf Deutsch`));
  writeFileSync(join(directory, 'assets', 'main-abc123.js'), `console.log(${JSON.stringify('y'.repeat(3000))})`);
  const ready = `console.log(${JSON.stringify('z'.repeat(3000))})`;
  writeFileSync(join(directory, 'assets', 'ready-abc123.js'), ready);
  writeFileSync(join(directory, 'assets', 'ready-abc123.js.br'), brotliCompressSync(`${ready} // packed before`));
  writeFileSync(join(directory, 'service-worker.js'), 'const build = {};');
  writeFileSync(join(directory, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(tmpdir(), 'kanbase-secret.txt'), 'secret');
  return startApp({
    settings: { WEB_DIR: directory, BILLING_SECRET_KEY: 'sk_test_pages', AUTH_PASSWORD_MIN: '8' },
  });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(app.url + path, { redirect: 'manual', headers: { accept: 'text/html,*/*', ...headers } });
const titleOf = async (response: Response) => /<title>(.*)<\/title>/.exec(await response.text())?.[1];

describe('pages', () => {
  const served: Record<string, string> = {
    '/': 'index',
    '/?utm=x': 'index',
    '/app': 'app',
    '/app/': 'app',
    '/app/projects/018f/board?x=1': 'app',
    '/sign-in': 'app',
    '/sign-up': 'app',
    '/forgot': 'app',
    '/reset': 'app',
    '/invitation': 'app',
    '/invitation/abc': 'app',
    '/join': 'app',
  };
  for (const [path, title] of Object.entries(served))
    it(`${path} is the ${title} page`, async () => {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('content-security-policy')).toMatch(/script-src 'self';.*frame-ancestors 'none'/);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await titleOf(response)).toBe(title);
    });

  it('of public links are in no list and no cache, and embedded by pages of SHARE_FRAME_ANCESTORS alone', async () => {
    const { headers } = await get('/share');
    expect(headers.get('cache-control')).toBe('no-store');
    expect([headers.get('x-robots-tag'), headers.get('referrer-policy')]).toEqual(['noindex', 'no-referrer']);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    const embedding = await startApp({
      settings: { WEB_DIR: directory, SHARE_FRAME_ANCESTORS: 'https://wiki.example.com,https://www.example.org' },
    });
    try {
      const [shared, other] = await Promise.all(
        ['/share', '/app'].map((path) => fetch(embedding.url + path, { headers: { accept: 'text/html' } })),
      );
      expect(shared?.headers.get('content-security-policy')).toMatch(
        /frame-ancestors https:\/\/wiki\.example\.com https:\/\/www\.example\.org$/,
      );
      expect(shared?.headers.get('x-frame-options')).toBeNull();
      expect(other?.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(other?.headers.get('x-frame-options')).toBe('DENY');
    } finally {
      await embedding.close();
    }
  });

  it('come in the language the browser asks for, and in the one that was chosen', async () => {
    const german = await get('/', { 'accept-language': 'fr;q=0.9, de-AT, en;q=0.5' });
    expect(german.headers.get('content-language')).toBe('de');
    expect(german.headers.get('vary')).toMatch(/accept-language, cookie, accept-encoding/);
    expect(await titleOf(german)).toBe('index auf Deutsch');
    expect(await titleOf(await get('/', { 'accept-language': 'fr, en;q=0.5, de;q=0.1' }))).toBe('index');
    expect(await titleOf(await get('/', { 'accept-language': 'de;q=0' }))).toBe('index');
    expect(await titleOf(await get('/sign-in', { cookie: 'a=b; kanbase-language=de' }))).toBe('app auf Deutsch');
    expect(await titleOf(await get('/', { 'accept-language': 'de', cookie: 'kanbase-language=en' }))).toBe('index');
    expect(await titleOf(await get('/', { cookie: 'kanbase-language=../app' }))).toBe('index');
    const lost = await get('/nothing', { 'accept-language': 'de' });
    expect([lost.status, await titleOf(lost)]).toEqual([404, '404 auf Deutsch']);
  });

  it('keep a language that a link chooses, and never lead elsewhere', async () => {
    const chosen = await get('/sign-in?language=de&next=%2Fapp%2Fbilling');
    expect(chosen.status).toBe(303);
    expect(chosen.headers.get('location')).toBe('/sign-in?next=%2Fapp%2Fbilling');
    expect(chosen.headers.get('set-cookie')).toMatch(/^kanbase-language=de; Max-Age=31536000; Path=\/; SameSite=Lax$/);
    expect((await get('/?language=xx')).status).toBe(200);
    // A picture of that address, in a text of somebody else, chooses nothing.
    const picture = await get('/?language=de', { 'sec-fetch-dest': 'image' });
    expect([picture.status, picture.headers.get('set-cookie')]).toEqual([200, null]);
    expect((await get('/?language=de', { 'sec-fetch-dest': 'document' })).status).toBe(303);
    expect((await get('//example.com/?language=de')).headers.get('location') ?? '/').not.toMatch(/^(\/\/|[a-z]+:)/);
  });

  it('take what is shared from a share sheet or from the app, and from no other site', async () => {
    const post = (headers: Record<string, string>) =>
      fetch(`${app.url}/app/share`, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams() });
    const own = app.services.siteUrl;
    const taken: readonly Record<string, string>[] = [
      {},
      { origin: 'null' },
      { origin: own },
      { origin: 'null', 'sec-fetch-site': 'none' },
      { origin: own, 'sec-fetch-site': 'same-origin' },
    ];
    for (const headers of taken) {
      const response = await post(headers);
      expect([response.status, response.headers.get('location')]).toEqual([303, '/app/share?files=lost']);
    }
    const refused: readonly Record<string, string>[] = [
      { origin: 'https://elsewhere.example' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: own, 'sec-fetch-site': 'same-site', accept: 'text/html' },
    ];
    for (const headers of refused) {
      const response = await post(headers);
      expect([response.status, await response.json()]).toMatchObject([403, { code: 'KB603' }]);
    }
  });

  it('carry the public settings, escaped, and no secret', async () => {
    const other = await startApp({
      settings: { WEB_DIR: directory, BILLING_SECRET_KEY: 'sk_test_pages' },
      prepare: `insert into billing.plans (price_id, name, amount, currency, "interval", is_offered) values
        ('price_1', 'Team "A" <b>&amp;', 900, 'eur', 'month', true), ('price_2', 'Hidden', 1, 'eur', null, false), ('free', 'Free', 0, null, null, true)`,
    });
    try {
      const text = await (await fetch(other.url)).text();
      const content = /name="kanbase-settings" content="([^"]*)"/.exec(text)?.[1] ?? '';
      expect(content).not.toMatch(/[<>]/);
      const settings = JSON.parse(
        content.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
      );
      expect(settings).toMatchObject({
        anonKey: other.anonKey,
        billing: {
          prices: [
            {
              id: 'price_1',
              name: 'Team "A" <b>&amp;',
              amount: 900,
              currency: 'eur',
              interval: 'month',
              intervalCount: 1,
              mode: 'subscription',
            },
          ],
        },
        providers: [],
        passwordMin: 6,
      });
      expect(await (await fetch(`${other.url}/api/settings`)).json()).toEqual(settings);
      for (const secret of ['sk_test', other.serviceKey]) expect(text).not.toContain(secret);
    } finally {
      await other.close();
    }
  });

  it('without billing there are no prices to show', async () => {
    const other = await startApp({ settings: { WEB_DIR: directory } });
    try {
      expect(await (await fetch(`${other.url}/api/settings`)).json()).toMatchObject({ billing: null });
    } finally {
      await other.close();
    }
  });

  it('say so when they are not there', async () => {
    const response = await get('/no/such/page');
    expect([response.status, await titleOf(response)]).toEqual([404, '404']);
    const asJson = await get('/no/such/page', { accept: 'application/json' });
    expect([asJson.status, asJson.headers.get('content-type')]).toEqual([
      404,
      expect.stringContaining('application/json'),
    ]);
    expect((await fetch(`${app.url}/no/such/page`, { method: 'POST' })).status).toBe(404);
  });
});

describe('files', () => {
  it('with a hash in their name are good for ever, compressed when asked', async () => {
    const plain = await get('/assets/main-abc123.js', { 'accept-encoding': 'identity' });
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const text = await plain.text();
    for (const encoding of ['br', 'gzip']) {
      const response = await get('/assets/main-abc123.js', { 'accept-encoding': encoding });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.headers.get('vary')).toContain('accept-encoding');
      expect(await response.text()).toBe(text);
    }
    expect((await get('/favicon.svg')).headers.get('cache-control')).toBe('public, max-age=3600');
    expect((await get('/service-worker.js')).headers.get('cache-control')).toBe('no-cache');
  });

  it('come as the build has compressed them', async () => {
    const response = await get('/assets/ready-abc123.js', { 'accept-encoding': 'br' });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(await response.text()).toContain('packed before');
    expect(await (await get('/assets/ready-abc123.js', { 'accept-encoding': 'identity' })).text()).not.toContain(
      'packed',
    );
    expect((await get('/assets/ready-abc123.js.br')).status).toBe(404);
  });

  it('are not sent twice', async () => {
    for (const path of ['/', '/assets/main-abc123.js']) {
      const etag = (await get(path)).headers.get('etag') ?? '';
      const again = await get(path, { 'if-none-match': etag });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
  });

  it('answer HEAD', async () => {
    const response = await fetch(app.url, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  for (const path of [
    '/../kanbase-secret.txt',
    '/..%2fkanbase-secret.txt',
    '/assets/..%2f..%2fkanbase-secret.txt',
    '/%2e%2e/kanbase-secret.txt',
    '/assets/%00',
    '/index.html%00.js',
  ])
    it(`outside the directory are not served: ${path}`, async () => {
      const response = await get(path);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(await response.text()).not.toContain('secret');
    });
});
