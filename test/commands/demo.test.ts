// `kanbase demo` as a person runs it.

import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { freshDatabase } from '../helpers/fresh-database.ts';
import { runKanbase, scratch } from '../helpers/kanbase.ts';

const place = scratch('demo');
afterAll(() => place.remove());

// A budget that a person with a slow machine uses up at once.
test('fills an empty database and says who to sign in as', async () => {
  const empty = await freshDatabase({ from: null });
  const { code, stdout, stderr } = await runKanbase(['demo'], {
    cwd: place.path,
    env: { DATABASE_URL: empty.directUrl, DATA_DIR: place.path, LOG_LEVEL: 'silent', WORK_BUDGET_SECONDS: '1' },
  });
  const owner = new pg.Client(connectionOptions(empty.directUrl));
  await owner.connect();
  const { rows: jobs } = await owner.query('select job from private.job_rounds');
  await owner.end();
  await empty.drop();
  expect([code, stderr]).toEqual([0, '']);
  // Background jobs belong to a server.
  expect(jobs).toEqual([]);
  expect(stdout).toMatch(/Website relaunch: 40 tasks/);
  expect(stdout).toMatch(/Sign in as\n {2}mara@example\.com {2}\S+ {2}\(Mara Lindqvist\)/);
});
