// Every request that the official client can make, as its source has them: each path is served, and what is refused as not offered is named here.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(() => startApp({ settings: { AUTH_ANONYMOUS: 'true', AUTH_MANUAL_LINKING: 'true' } }));

/** Not offered, with the code that clients know for it. */
const notOffered = new Map([
  ['POST /sso', 'saml_provider_disabled'],
  ['POST /token?grant_type=web3', 'web3_provider_disabled'],
]);

/** As `METHOD /path`, with an id in place of each value. */
function requestsOfClient(): readonly string[] {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@supabase/auth-js/package.json')), 'src');
  const sources = ['GoTrueClient.ts', 'GoTrueAdminApi.ts', 'lib/fetch.ts', 'lib/helpers.ts'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  );
  const found = sources.flatMap((source) => [
    ...source.matchAll(/'(GET|POST|PUT|PATCH|DELETE)',\s*`\$\{this\.url\}(\/[^`]+)`/g),
  ]);
  const named = found.map(([, method, path = '']) => {
    const concrete = path.replaceAll(/custom-providers\/\$\{[^}]+\}/g, 'custom-providers/custom:none');
    return `${method} ${concrete.replaceAll(/\$\{[^}]+\}/g, '0190a1b2-0000-7000-8000-000000000001')}`;
  });
  return [...new Set(named)].sort();
}

test('no request of the client is unknown here, nor switched off without a reason', async () => {
  const requests = requestsOfClient();
  // All of them are found: the number only grows.
  expect(requests.length).toBeGreaterThanOrEqual(55);
  const faults: unknown[] = [];
  for (const request of requests) {
    const [method = '', path = ''] = request.split(' ');
    // One each: some of them end the session or the account.
    const token = path.startsWith('/admin/') ? app.serviceKey : (await app.createUser()).token;
    const answer = await app.request(`/auth/v1${path}`, {
      method,
      token,
      ...(method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } }),
    });
    const code = answer.headers.get('x-sb-error-code');
    const text = await answer.text();
    const isUnknown = code === 'not_found' || /No such path/.test(text) || answer.status === 405;
    const isOff = /_disabled$/.test(code ?? '');
    if (isUnknown || (isOff && notOffered.get(request) !== code)) faults.push([request, answer.status, code, text]);
  }
  expect(faults).toEqual([]);
  expect(requests.filter((request) => notOffered.has(request)).length).toBe(notOffered.size);
});
