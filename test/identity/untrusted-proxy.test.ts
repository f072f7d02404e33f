// A proxy that TRUST_PROXY does not name: every caller comes from its address. Limits of an account hold all the same, and the
// server says what to set, in its log, at the next start and by `kanbase doctor`.

import { pino } from 'pino';
import { expect, test } from 'vitest';
import { checkDatabase } from '../../server/commands/doctor/check-database.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { freshDatabase } from '../helpers/fresh-database.ts';

function logTo(lines: string[]) {
  return pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
}

const advice = /TRUST_PROXY does not name it/;

function doctor(app: TestApp): Promise<string[]> {
  const reached = { url: app.databaseUrl, directUrl: app.ownerUrl, embedded: false, stop: async () => undefined };
  return checkDatabase(app.services.config, reached, pino({ level: 'silent' })).then((found) =>
    found.map(({ about }) => about).filter((about) => advice.test(about)),
  );
}

test('wrong passwords for one account run out, whatever addresses are claimed', async () => {
  const app = await startApp({ settings: { AUTH_LIMIT_GUESSES: '6' } });
  try {
    const { email } = await app.createUser();
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess += 1) {
      const answer = await app.request('/auth/v1/token?grant_type=password', {
        method: 'POST',
        headers: { 'x-forwarded-for': `198.51.100.${guess}` },
        body: JSON.stringify({ email, password: `guess-${guess}` }),
      });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429, 429, 429, 429, 429, 429]);
  } finally {
    await app.close();
  }
});

test('is named once in the log, at the next start, and by doctor, until it is trusted', async () => {
  const database = await freshDatabase();
  const kept = { ...database, drop: async () => undefined };
  const [first, second, third]: [string[], string[], string[]] = [[], [], []];
  const forwarded = { headers: { 'x-forwarded-for': '203.0.113.9' } };

  const app = await startApp({ database: kept, log: logTo(first) });
  await fetch(`${app.url}/health`);
  expect(first.filter((line) => advice.test(line))).toEqual([]);
  for (let turn = 0; turn < 3; turn += 1) await fetch(`${app.url}/health`, forwarded);
  expect(first.filter((line) => advice.test(line))).toHaveLength(1);
  expect(first.join()).toContain('TRUST_PROXY=127.0.0.1');
  await expect.poll(() => doctor(app)).toHaveLength(1);
  await app.close();

  const again = await startApp({ database: kept, log: logTo(second) });
  expect(second.filter((line) => advice.test(line))).toHaveLength(1);
  await again.close();

  const trusting = await startApp({ database: kept, log: logTo(third), settings: { TRUST_PROXY: 'loopback' } });
  await fetch(`${trusting.url}/health`, forwarded);
  expect(third.filter((line) => advice.test(line))).toEqual([]);
  expect(await doctor(trusting)).toEqual([]);
  await trusting.close();
  await database.drop();
});
