// `kanbase operator` and the link in the start banner.

import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freshDatabase } from '../helpers/fresh-database.ts';
import { runKanbase, scratch, startKanbase } from '../helpers/kanbase.ts';

const place = scratch('operator');
afterAll(() => place.remove());

test('the banner has a link until somebody is an operator; the command makes, lists and removes them', async () => {
  const database = await freshDatabase();
  const env = { DATABASE_URL: database.directUrl };
  const args = ['--data-dir', join(place.path, 'data')];
  const first = await startKanbase(args, { env });
  expect(first.output().stdout).toMatch(/Admin {8}http:\/\/localhost:\d+\/admin#first=[\w-]{43}\n/);
  const [, token = ''] = /#first=(\S+)/.exec(first.output().stdout) ?? [];
  expect(first.output().stderr).not.toContain(token);

  const email = 'ada@example.test';
  const operator = (...words: string[]) => runKanbase(['operator', ...words, ...args], { env });
  expect((await operator()).stdout).toContain('Nobody is an operator yet');
  expect(await operator(email)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`no account has the address ${email}`),
  });
  const made = await fetch(`${first.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: first.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse' }),
  });
  expect(made.status).toBe(200);
  const { access_token } = (await made.json()) as { access_token: string };
  expect(await operator(email.toUpperCase())).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is an operator'),
  });
  expect((await operator()).stdout.trim()).toBe(email);
  // The link of the banner is void from then on.
  const claim = await fetch(`${first.url}/api/admin/claim`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  expect(claim.status).toBe(404);
  await first.stop();

  const second = await startKanbase(args, { env });
  expect(second.output().stdout).not.toContain('Operator');
  await second.stop();
  expect(await operator(email, '--remove')).toMatchObject({ code: 0 });
  expect((await operator()).stdout).toContain('Nobody is an operator yet');
  await database.drop();
});
