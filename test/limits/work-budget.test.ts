// Work budget through the data API: slow statements are charged to their caller and refused beyond the budget, on every node, while others and quick
// requests are answered.

import { expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';

const prepare = `
  create function public.nap(seconds float8) returns text language sql volatile as $$ select 'rested' from pg_sleep(seconds) $$;
  create function public.blink() returns text language sql stable as $$ select 'awake' $$;
  create table public.words (id int primary key);
  grant execute on function public.nap(float8), public.blink() to anon, authenticated;
  grant select on public.words to anon, authenticated;`;

const settings = { WORK_BUDGET_SECONDS: '3', JWT_SECRET: 'the-same-on-both-nodes-0123456789abcdef' };

const app = forSuite(() => startApp({ prepare, settings }));
const greedy = person(app, 'Greedy');
const other = person(app, 'Other');

const nap = (token: string, on = app, seconds = 0.6) =>
  on.request('/rest/v1/rpc/nap', {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ seconds }),
  });
const blink = (token: string) => app.request('/rest/v1/rpc/blink', { token });

async function napUntilRefused(token: string, on = app): Promise<Response> {
  for (let turn = 0; turn < 50; turn++) {
    const answer = await nap(token, on);
    if (answer.status === 429) return answer;
    expect(await answer.text()).toContain('rested');
  }
  throw new Error('Fifty slow requests were answered');
}

test('slow statements beyond the budget are refused in words, and others are answered meanwhile', async () => {
  for (let turn = 0; turn < 5; turn++) expect((await blink(greedy.token)).status).toBe(200);
  const refused = await napUntilRefused(greedy.token);
  expect(refused.status).toBe(429);
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({
    code: 'KB429',
    message: 'You have asked for a lot of work in a short time',
    hint: `Try again in ${wait} s. Quick requests are still answered.`,
  });
  expect((await nap(other.token, app, 0.03)).status).toBe(200);
  // What is known to be quick is answered to the same person all the while.
  expect((await blink(greedy.token)).status).toBe(200);
  expect((await nap(greedy.token)).status).toBe(429);
  // Time refills it.
  await expect.poll(async () => (await nap(greedy.token, app, 0.01)).status, { timeout: 20_000 }).toBe(200);
}, 60_000);

test('the official client gets the code and the words', async () => {
  await napUntilRefused(greedy.token);
  const { error, status } = await greedy.client.rpc('nap', { seconds: 0.6 });
  expect(status).toBe(429);
  expect(error).toMatchObject({ code: 'KB429', hint: expect.stringContaining('Try again in') });
});

test('a person who used up their budget on one node is refused on the next', async () => {
  const second = await startApp({
    database: { url: app.databaseUrl, directUrl: app.ownerUrl, drop: async () => undefined },
    settings,
  });
  try {
    const person = await app.createUser({ name: 'Wanderer' });
    // At once, so that far more is used than comes back until the second node hears of it.
    await Promise.all(Array.from({ length: 12 }, () => nap(person.token)));
    expect((await napUntilRefused(person.token)).status).toBe(429);
    // Its first slow request tells the second node what was used on the first.
    await expect.poll(async () => (await nap(person.token, second, 0.03)).status, { timeout: 20_000 }).toBe(429);
    expect((await nap(other.token, second, 0.03)).status).toBe(200);
  } finally {
    await second.close();
  }
}, 60_000);

test('addresses that are not signed in pay each for themselves', async () => {
  const behind = await startApp({ prepare, settings: { WORK_BUDGET_SECONDS: '3', TRUST_PROXY: 'loopback' } });
  try {
    const from = (address: string, seconds: number) =>
      behind.request('/rest/v1/rpc/nap', {
        method: 'POST',
        headers: { 'x-forwarded-for': address, 'content-type': 'application/json' },
        body: JSON.stringify({ seconds }),
      });
    await expect.poll(async () => (await from('203.0.113.7', 0.6)).status, { timeout: 20_000 }).toBe(429);
    expect((await from('203.0.113.8', 0.03)).status).toBe(200);
    // Nobody is believed about what stands further left.
    expect((await from('198.51.100.1, 203.0.113.7', 0.03)).status).toBe(429);
  } finally {
    await behind.close();
  }
}, 60_000);

test('long parsing is charged as well', async () => {
  const strict = await startApp({ prepare, settings: { WORK_BUDGET_SECONDS: '3' } });
  try {
    const person = await strict.createUser({ name: 'Verbose' });
    const long = Array.from({ length: 2000 }, (_, index) => `and(id.eq.${index},or(id.eq.1,id.eq.${index}))`).join(',');
    const ask = () =>
      strict.request(`/rest/v1/words?select=id&or=(${long.slice(0, 60_000).replace(/,and[^a]*$/, '')})`, {
        token: person.token,
      });
    await expect.poll(async () => (await ask()).status, { timeout: 20_000, interval: 1 }).toBe(429);
  } finally {
    await strict.close();
  }
}, 60_000);
