// POST /api/lead as a landing page calls it, and what it leaves behind.

import { expect, it } from 'vitest';
import { startApp, type TestApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { startMailedApp } from '../identity/mailed-app.ts';

const app = forSuite(() =>
  startApp({ settings: { LEAD_NOTIFY_EMAIL: 'operator@example.test', LEADS_PER_MINUTE: '40' } }),
);

const post = (body: unknown, init: { headers?: Record<string, string>; at?: TestApp } = {}) =>
  fetch(`${(init.at ?? app).url}/api/lead`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...init.headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const leads = (email: string) => app.sql('select email, source from private.leads where email = $1', [email]);

it('stores an address once, however it is spelled, and answers {} each time', async () => {
  for (const email of ['Ada@Example.com', ' ada@example.com ', 'ADA@EXAMPLE.COM']) {
    const response = await post({ email, source: 'hero' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.text()).toBe('{}');
  }
  expect(await leads('ada@example.com')).toEqual([{ email: 'ada@example.com', source: 'hero' }]);
});

it('ten times at once is one lead and one mail to the operator', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      post({ email: 'racer@example.com' }, { headers: { referer: 'https://kanbase.test/pricing?ref=x' } }),
    ),
  );
  expect(answers.map((response) => response.status)).toEqual(Array(10).fill(200));
  expect(await leads('racer@example.com')).toEqual([{ email: 'racer@example.com', source: 'kanbase.test/pricing' }]);
  const letters = await app.sql<{ recipient: string }>(
    `select recipient from private.outbox where data ->> 'subject' = 'New lead: racer@example.com'`,
  );
  expect(letters).toEqual([{ recipient: 'operator@example.test' }]);
});

it('the mail reaches the operator and says who, and from where', async () => {
  const mailed = await startMailedApp({ settings: { LEAD_NOTIFY_EMAIL: 'operator@example.test' } });
  try {
    const email = 'grace+<b>news</b>@example.com'; // no address, so no mail
    expect((await post({ email }, { at: mailed })).status).toBe(400);
    await post({ email: 'Grace@Example.com', source: '<b>pricing</b>' }, { at: mailed });
    const mail = await mailed.post.next('operator@example.test');
    expect(mail.subject).toBe('New lead: grace@example.com');
    expect(mail.text).toContain('grace@example.com');
    expect(mail.text).toContain('Source: <b>pricing</b>');
  } finally {
    await mailed.close();
  }
});

const refused: Array<[unknown, string]> = [
  [{}, 'Email is required'],
  ['', 'Email is required'],
  [{ email: '' }, 'Email is required'],
  [{ email: null }, 'Email is required'],
  [{ mail: 'a@b.co' }, 'Email is required'],
  [{ email: 'nobody' }, 'Email must be a valid address, such as ada@example.com'],
  [{ email: 7 }, 'Email must be a valid address, such as ada@example.com'],
  [{ email: ['a@b.co'] }, 'Email must be a valid address, such as ada@example.com'],
  ['{"email":', 'The body is not valid JSON'],
  ['[]', 'The body must be a JSON object'],
  ['"a@b.co"', 'The body must be a JSON object'],
  ['null', 'The body must be a JSON object'],
];
for (const [body, error] of refused)
  it(`${JSON.stringify(body)} is 400: ${error}`, async () => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error });
  });

it('other content types and huge bodies are refused in the same shape', async () => {
  const form = await post('email=ada%40example.com', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect([form.status, await form.json()]).toEqual([415, { error: 'The body must be sent as application/json' }]);
  const huge = await post({ email: `${'a'.repeat(100_000)}@example.com` });
  expect([huge.status, await huge.json()]).toEqual([413, { error: 'The request body is too large' }]);
});

it('an unexpected failure is 500 with an error and a trace for the operator', async () => {
  await app.sql(`alter table private.leads add constraint broken check (email <> 'fails@example.com')`);
  const response = await post({ email: 'fails@example.com' });
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    error: expect.stringMatching(/^Something went wrong on our side\. Look for request \S+ in the log\.$/),
  });
});

it('one caller cannot leave addresses without end', async () => {
  const other = await startApp({ settings: { LEADS_PER_MINUTE: '3' } });
  try {
    const answers = [];
    for (let index = 0; index < 4; index += 1)
      answers.push(await post({ email: `lead${index}@example.com` }, { at: other }));
    expect(answers.map((response) => response.status)).toEqual([200, 200, 200, 429]);
    expect(answers[3]?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await answers[3]?.json()).toEqual({ error: expect.stringContaining('Too many addresses') });
    // The body of a request that is refused so is not read.
    expect((await post({}, { at: other })).status).toBe(429);
  } finally {
    await other.close();
  }
});

it('leads are out of reach of every key', async () => {
  for (const token of [app.anonKey, app.serviceKey, (await app.createUser()).token]) {
    const response = await app.request('/rest/v1/leads?select=*', {
      token,
      headers: { apikey: token === app.serviceKey ? token : app.anonKey },
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
  }
});
