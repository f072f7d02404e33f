// Rows are never asked for without a session: an empty result would look as if everything were gone. A busy server is asked again.

import { expect, test } from 'vitest';
import { askAsOurselves, Refusal, timeoutFor } from './door.ts';

test.each([
  ['/rest/v1/tasks', 'anon', false],
  ['/rest/v1/tasks', 'mine', true],
  ['/auth/v1/token', 'anon', true],
] as const)('%s as %s: goes out %s', async (path, token, goes) => {
  const seen: string[] = [];
  let withoutSession = 0;
  const ask = askAsOurselves(
    'anon',
    async (asked) => {
      seen.push(String(asked));
      return new Response('[]');
    },
    { onRefused: () => undefined, onNoSession: () => withoutSession++ },
  );
  const url = `https://kanbase.test${path}`;
  const outcome = ask(url, { headers: { Authorization: `Bearer ${token}` } });
  if (goes) expect((await outcome).status).toBe(200);
  else await expect(outcome).rejects.toThrow('could not be refreshed');
  expect(seen).toEqual(goes ? [url] : []);
  expect(withoutSession).toBe(goes ? 0 : 1);
});

test.each([
  ['40P01', true],
  ['40001', true],
  ['55P03', true],
  ['55006', false],
  ['23505', false],
  ['', false],
] as const)('a refusal with %s says nothing about what was asked: %s', (code, isTemporary) => {
  expect(new Refusal('', code, 500).isTemporary).toBe(isTemporary);
});

test.each([
  ['GET', '/rest/v1/tasks', 60_000],
  ['POST', '/rest/v1/rpc/export_my_data', 60_000],
  ['POST', '/rest/v1/rpc/dashboard_metrics', 60_000],
  ['POST', '/rest/v1/rpc/changes_since', 60_000],
  ['POST', '/rest/v1/rpc/apply_changes', 20_000],
  ['PATCH', '/rest/v1/profiles', 20_000],
] as const)('%s %s may take %i ms', (method, path, most) => {
  expect(timeoutFor(method, path)).toBe(most);
});

test.each([
  ['GET', '/rest/v1/tasks', '0', 3],
  ['POST', '/rest/v1/rpc/dashboard_metrics', '0', 3],
  ['GET', '/rest/v1/tasks', null, 1],
  ['POST', '/rest/v1/tasks', '0', 1],
  ['PATCH', '/rest/v1/tasks', '0', 1],
  ['POST', '/rest/v1/rpc/apply_changes', '0', 1],
  ['GET', '/auth/v1/user', '0', 1],
] as const)('a busy server is asked %s %s, after %s seconds, in all %i times', async (method, path, seconds, times) => {
  let asked = 0;
  const ask = askAsOurselves(
    'anon',
    async () => {
      asked++;
      return new Response('{}', { status: 503, ...(seconds === null ? {} : { headers: { 'retry-after': seconds } }) });
    },
    { onRefused: () => undefined, onNoSession: () => undefined },
  );
  expect((await ask(`https://kanbase.test${path}`, { method })).status).toBe(503);
  expect(asked).toBe(times);
});

test('an answer that a busy server gives the second time counts', async () => {
  const answers = [new Response('', { status: 503, headers: { 'retry-after': '0' } }), new Response('[1]')];
  const ask = askAsOurselves('anon', async () => answers.shift() ?? Response.error(), {
    onRefused: () => undefined,
    onNoSession: () => undefined,
  });
  expect(await (await ask('https://kanbase.test/rest/v1/tasks')).json()).toEqual([1]);
});
