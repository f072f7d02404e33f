// A proxy that TRUST_PROXY does not name: every caller comes from its address. Limits of an account hold all the same, and the
// server says what to set, in its log, at the next start and by `kanbase doctor`.

import { request } from 'node:http';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { checkDatabase } from '../../server/doctor/check-database.ts';
import { sayFinding } from '../../server/doctor/finding.ts';
import { textsIn } from '../../server/texts/texts.ts';
import { inside } from '../browser/words.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { freshDatabase } from '../helpers/fresh-database.ts';

function logTo(lines: string[]) {
  return pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
}

const advice = new RegExp(inside('health.proxy.unnamed'));

function doctor(app: TestApp): Promise<string[]> {
  const reached = { url: app.databaseUrl, directUrl: app.ownerUrl, embedded: false, stop: async () => undefined };
  return checkDatabase(app.services.config, reached, pino({ level: 'silent' })).then((found) =>
    found.map((one) => sayFinding(one, textsIn('en')).about).filter((about) => advice.test(about)),
  );
}

/** A sign-in that reaches the server from this address of the machine and claims to be somebody else's. */
function signIn(app: TestApp, email: string, password: string, from: string, claimed: string): Promise<number> {
  const headers = { apikey: app.anonKey, 'content-type': 'application/json', 'x-forwarded-for': claimed };
  const url = new URL('/auth/v1/token?grant_type=password', app.url);
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', headers, localAddress: from }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end(JSON.stringify({ email, password }));
  });
}

test('wrong passwords for one account run out, whatever addresses are claimed', async () => {
  const app = await startApp({ settings: { AUTH_LIMIT_GUESSES: '6' } });
  try {
    const { email } = await app.createUser();
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess += 1)
      statuses.push(await signIn(app, email, `guess-${guess}`, '127.0.0.1', `198.51.100.${guess}`));
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429, 429, 429, 429, 429, 429]);
  } finally {
    await app.close();
  }
});

// A whole network of 127.0.0.0/8 to come from is Linux' own.
test.runIf(process.platform === 'linux')('nor is an address of the proxy its owner’s own network', async () => {
  const app = await startApp({ settings: { AUTH_LIMIT_GUESSES: '6' } });
  const proxies = ['127.0.0.1', '127.0.0.2'];
  const [email, password] = ['owner@example.test', 'a good long password'];
  try {
    expect((await app.client().auth.signUp({ email, password })).error).toBeNull();
    for (const proxy of proxies) expect(await signIn(app, email, password, proxy, '192.0.2.1')).toBe(200);
    const statuses: number[] = [];
    for (let guess = 0; guess < 8; guess += 1)
      statuses.push(await signIn(app, email, `guess-${guess}`, proxies[guess % 2] ?? '', `198.51.100.${guess}`));
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429, 429]);
  } finally {
    await app.close();
  }
});

test('a trusted proxy may write ports behind addresses, or no address at all', async () => {
  const app = await startApp({ settings: { TRUST_PROXY: 'loopback', AUTH_LIMIT_SIGN_IN: '1' } });
  try {
    const [email, password] = ['ports@example.test', 'a good long password'];
    expect((await app.client().auth.signUp({ email, password })).error).toBeNull();
    const claims = ['203.0.113.9:4711', '[2001:db8::1]:4711', '203.0.113.10:1, 127.0.0.9:2', '203.0.113.11, unknown'];
    for (const claimed of claims)
      expect([claimed, await signIn(app, email, password, '127.0.0.1', claimed)]).toEqual([claimed, 200]);
    // Another port is no other caller.
    expect(await signIn(app, email, password, '127.0.0.1', '203.0.113.9:4712')).toBe(429);
    const sessions = await app.sql<{ address: string }>(
      'select host(ip) as address from auth.sessions order by created_at',
    );
    expect(sessions.map(({ address }) => address)).toEqual([
      '127.0.0.1',
      '203.0.113.9',
      '2001:db8::1',
      '203.0.113.10',
      '127.0.0.1',
    ]);
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
