// Log lines of server errors name their cause, for failures below every API.

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openLog } from '../../server/open-log.ts';
import { makeOperator } from '../admin/operator.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

interface Line {
  readonly msg: string;
  readonly status?: number;
  readonly err?: { readonly message?: string; readonly stack?: string };
}

const lines: Line[] = [];
let ada: TestUser;
let operator: string;

const app = forSuite(() => {
  const log = openLog({ server: { logLevel: 'info' } } as Parameters<typeof openLog>[0], {
    write: (line) => void lines.push(JSON.parse(line) as Line),
  });
  return startApp({
    log,
    settings: { READY_FREE_BYTES: '1000000000000000' },
    prepare: `create function public.fail_as(state text) returns void language plpgsql as $$
      begin raise exception using errcode = state, message = 'It failed on purpose'; end $$;
      grant execute on function public.fail_as(text) to authenticated;`,
  });
});
beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada' });
  ({ token: operator } = await makeOperator(app));
});

const key = () => ({ apikey: app.anonKey });
const asAda = () => ({ ...key(), authorization: `Bearer ${ada.token}` });
const json = (body: unknown, headers: Record<string, string>) => ({
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Something is put out of its place for as long as it is asked for. */
async function without<T>(relation: string, name: string, ask: () => Promise<T>): Promise<T> {
  await app.sql(`alter ${relation} rename to ${name}_away`);
  try {
    return await ask();
  } finally {
    const kind = relation.split(' ')[0];
    const schema = relation.split(' ')[1]?.split('.')[0];
    const call = relation.includes('(') ? relation.slice(relation.indexOf('(')) : '';
    await app.sql(`alter ${kind} ${schema}.${name}_away${call} rename to ${name}`);
  }
}

const faults: readonly (readonly [door: string, ask: () => Promise<Response>])[] = [
  ['a procedure that says 503', () => fetch(`${app.url}/rest/v1/rpc/fail_as`, json({ state: 'PT503' }, asAda()))],
  ['a procedure that breaks', () => fetch(`${app.url}/rest/v1/rpc/fail_as`, json({ state: 'XX000' }, asAda()))],
  [
    'no room on the disk of the database',
    () => fetch(`${app.url}/rest/v1/rpc/fail_as`, json({ state: '53100' }, asAda())),
  ],
  ['readiness', () => fetch(`${app.url}/ready`)],
  [
    'sign-in without its table',
    () =>
      without('table auth.users', 'users', () =>
        fetch(
          `${app.url}/auth/v1/token?grant_type=password`,
          json({ email: 'ada@example.test', password: 'a good long password' }, key()),
        ),
      ),
  ],
  [
    'leads without their table',
    () =>
      without('table private.leads', 'leads', () =>
        fetch(`${app.url}/api/lead`, json({ email: 'kay@example.test' }, {})),
      ),
  ],
  [
    'the admin pages without their procedure',
    () =>
      without('function private.admin_jobs()', 'admin_jobs', () =>
        fetch(`${app.url}/api/admin/jobs`, { headers: { authorization: `Bearer ${operator}` } }),
      ),
  ],
  [
    'buckets without their table',
    () =>
      without('table storage.buckets', 'buckets', () =>
        fetch(`${app.url}/storage/v1/bucket`, { headers: { authorization: `Bearer ${app.serviceKey}` } }),
      ),
  ],
  [
    'a download of bytes that cannot be read',
    async () => {
      const service = { authorization: `Bearer ${app.serviceKey}` };
      await fetch(`${app.url}/storage/v1/bucket`, json({ id: 'reports', name: 'reports' }, service));
      await fetch(`${app.url}/storage/v1/object/reports/one.txt`, {
        method: 'POST',
        headers: { ...service, 'content-type': 'text/plain' },
        body: 'bytes',
      });
      const files = join(app.dataDir, 'files');
      renameSync(files, `${files}-away`);
      writeFileSync(files, '');
      return fetch(`${app.url}/storage/v1/object/reports/one.txt`, { headers: service });
    },
  ],
];

test.each(faults)('%s', async (_door, ask) => {
  const before = lines.length;
  const answer = await ask();
  expect(answer.status).toBeGreaterThanOrEqual(500);
  const told = () => lines.slice(before).filter(({ msg }) => msg === 'answered with an error');
  await expect.poll(() => told().length).toBe(1);
  const [line] = told();
  expect(line).toMatchObject({
    status: answer.status,
    err: { message: expect.any(String), stack: expect.any(String) },
  });
  expect(line?.err?.message).not.toMatch(/made without an error/);
});
