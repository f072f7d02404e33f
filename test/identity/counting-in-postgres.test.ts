// Limits that several nodes count together, in Postgres.

import { describe, expect, test } from 'vitest';
import { countInMemory } from '../../server/limits/count-in-memory.ts';
import { countInPostgres } from '../../server/limits/count-in-postgres.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(startApp);

describe('limits', () => {
  test('nodes that count in Postgres count together', async () => {
    const limit = { name: 'together', points: 3, windowSeconds: 60 };
    const nodes = [1, 2].map(() => countInPostgres(app.database, countInMemory()));
    const answers = [];
    for (let attempt = 0; attempt < 4; attempt += 1) answers.push(await nodes[attempt % 2]?.take(limit, 'somebody'));
    expect(answers.map((one) => one?.allowed)).toEqual([true, true, true, false]);
    expect(answers[3]?.retryAfterSeconds).toBeGreaterThan(0);
    expect((await nodes[0]?.take(limit, 'somebody else'))?.allowed).toBe(true);
    await app.sql(`update private.limits set read_at = read_at - interval '1 minute'`);
    expect((await nodes[1]?.take(limit, 'somebody'))?.allowed).toBe(true);
  });
});

test('long keys of a limit are stored shortened', async () => {
  const limit = { name: 'long', points: 1, windowSeconds: 60 };
  const limits = countInPostgres(app.database, countInMemory());
  const take = async (key: string) => (await limits.take(limit, key)).allowed;
  const long = 'a'.repeat(100_000);
  expect([await take(long), await take(`${long}b`), await take(long)]).toEqual([true, true, false]);
  const email = `${'a'.repeat(50_000)}@example.test`;
  const answer = await app.call('POST', '/auth/v1/token?grant_type=password', { email, password: 'secret1' });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_credentials' } });
  const [kept] = await app.sql<{ longest: number; guesses: string }>(`
    select max(length(key)) as longest, count(*) filter (where key like 'identity.guess %') as guesses from private.limits`);
  expect(kept?.longest).toBeLessThan(400);
  expect(kept?.guesses).toBe('0');
});

describe('limits in Postgres', () => {
  const limit = { name: 'looked at', points: 2, windowSeconds: 60 };

  test('looking takes nothing, and what is given back can be taken again', async () => {
    const limits = countInPostgres(app.database, countInMemory());
    const take = async () => (await limits.take(limit, 'a')).allowed;
    for (let look = 0; look < 3; look += 1) expect((await limits.look(limit, 'a')).allowed).toBe(true);
    expect([await take(), await take(), await take()]).toEqual([true, true, false]);
    const spent = await limits.look(limit, 'a');
    expect(spent.allowed).toBe(false);
    expect(spent.retryAfterSeconds).toBeGreaterThan(0);
    await limits.give(limit, 'a');
    expect([await take(), await take()]).toEqual([true, false]);
    for (let gift = 0; gift < 5; gift += 1) await limits.give(limit, 'a');
    expect([await take(), await take(), await take()]).toEqual([true, true, false]);
  });
});
