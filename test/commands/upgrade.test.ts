// An upgrade that was forgotten half way: the checkout is new, the build is old. The server says so and changes nothing.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { buildServerAside } from '../../scripts/build.mjs';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { type FreshDatabase, freshDatabase } from '../helpers/fresh-database.ts';
import { scratch } from '../helpers/kanbase.ts';

const place = scratch('upgrade');
const made: FreshDatabase[] = [];
afterAll(async () => {
  for (const database of made) await database.drop();
  place.remove();
});

test('an old build refuses migrations it does not know, and says to build', async () => {
  const main = await buildServerAside();
  const checkout = join(place.path, 'checkout');
  mkdirSync(join(checkout, 'dist'), { recursive: true });
  cpSync('package.json', join(checkout, 'package.json'));
  cpSync('sql', join(checkout, 'sql'), { recursive: true });
  cpSync(dirname(main), join(checkout, 'dist/server'), { recursive: true });
  symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'));
  writeFileSync(join(checkout, 'sql/tables/9990_pulled.sql'), 'create table public.pulled ();');
  const database = await freshDatabase();
  made.push(database);
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(checkout, 'dist/server/main.js'), ...args], {
      cwd: place.path,
      env: { PATH: process.env.PATH, DATABASE_URL: database.directUrl, DATA_DIR: join(place.path, 'data') },
      encoding: 'utf8',
      // One that serves instead is stopped: it would be waited for, and no test may wait for itself.
      timeout: 20_000,
    });
  const words = 'This build of the server is older than sql/: it does not know 9990_pulled.sql. Run npm run build';
  for (const args of [['serve', '--port', '0', '--host', '127.0.0.1'], ['migrate']]) {
    const { status, stderr } = run(...args);
    expect(status).toBe(1);
    expect(stderr).toContain(words);
  }
  expect(run('doctor').stdout).toMatch(/BAD .*9990_pulled\.sql/);
  expect(run('migrate', 'status').stdout).toContain(`PROBLEM  ${words}`);
  const client = new pg.Client(connectionOptions(database.directUrl));
  await client.connect();
  const { rows } = await client.query(`select to_regclass('public.pulled')::text as found`);
  await client.end();
  expect(rows).toEqual([{ found: null }]);
}, 120_000);
