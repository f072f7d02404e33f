// The landing and billing doors take one method each, and say so in their own dialect.

import { expect, it } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(startApp);

const posted = [
  '/api/lead',
  '/api/billing/create-checkout',
  '/api/billing/create-portal',
  '/api/billing/webhook',
  '/api/webhook/billing',
];
for (const path of posted)
  it(`${path} is posted to`, async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const response = await fetch(app.url + path, { method });
      expect([response.status, response.headers.get('allow'), await response.json()]).toEqual([
        405,
        'POST, OPTIONS',
        { error: `${method} is not for this address: use POST` },
      ]);
    }
    const head = await fetch(app.url + path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([405, '']);
    const options = await fetch(app.url + path, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow'), await options.text()]).toEqual([204, 'POST, OPTIONS', '']);
  });

it('/auth/callback is visited', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const response = await fetch(`${app.url}/auth/callback?code=x`, { method, redirect: 'manual' });
    expect([response.status, response.headers.get('allow'), await response.json()]).toEqual([
      405,
      'GET, HEAD, OPTIONS',
      { error: `${method} is not for this address: use GET` },
    ]);
  }
});
