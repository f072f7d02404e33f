// Instructions of the guide on Postgres, carried out as written: grants on Debian's PostgreSQL 15, one's own migrations, and addresses of
// sockets.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { parseTarget } from '../../server/database/wire/target.ts';
import { t } from '../browser/words.ts';
import { bin, havePostgres, type OwnPostgres, startOwnPostgres } from '../database/debian.ts';
import { filledIn, guideBlock } from '../helpers/guide-block.ts';
import { runKanbase, scratch, startKanbase } from '../helpers/kanbase.ts';

const place = scratch('guides');
let server: OwnPostgres;
beforeAll(async () => {
  expect(havePostgres).toBe(true);
  server = await startOwnPostgres();
});
afterAll(async () => {
  await server.remove();
  place.remove();
});

function psql(url: string, sql: string): string {
  const done = spawnSync(join(bin, 'psql'), ['-v', 'ON_ERROR_STOP=1', '-X', '-A', '-t', '-d', url], {
    input: sql,
    encoding: 'utf8',
  });
  expect(done.status, done.stderr).toBe(0);
  return done.stdout.trim();
}

test('the rights named in the guide are all that Postgres 15 needs, for our tables and for yours', async () => {
  const block = guideBlock('run/self-hosting', 'sql', 'create role kanbase');
  psql(server.adminUrl, filledIn(block, { '…': 'secret' }));

  const own = join(place.path, 'migrations');
  mkdirSync(own);
  writeFileSync(join(own, '1_suppliers.sql'), guideBlock('run/database', 'sql', 'create table public.suppliers'));
  writeFileSync(join(own, '2_index.sql'), guideBlock('run/database', 'sql', 'no transaction'));
  const env = {
    DATABASE_URL: server.url('kanbase', 'secret', 'kanbase'),
    MIGRATIONS_DIR: own,
    DATA_DIR: join(place.path, 'data'),
  };
  const kanbase = await startKanbase([], { env });
  expect((await fetch(`${kanbase.url}/ready`)).status).toBe(200);
  const keys = JSON.parse((await runKanbase(['keys', '--json'], { env })).stdout) as { service_role: string };
  const ask = (key: string) =>
    fetch(`${kanbase.url}/rest/v1/suppliers`, { headers: { apikey: key, authorization: `Bearer ${key}` } });
  expect((await ask(kanbase.anonKey)).status).toBe(401);
  expect((await ask(keys.service_role)).status).toBe(200);
  const checked = await runKanbase(['doctor'], { env });
  expect(checked.stdout).toContain(t('health.database.owner', { name: 'kanbase', database: 'kanbase' }));
  expect(checked.stdout).not.toMatch(/^BAD/m);
  expect((await kanbase.stop()).code).toBe(0);
  expect(
    psql(
      server.adminUrl.replace('/postgres?', '/kanbase?'),
      "select count(*) from pg_index i where i.indrelid = 'suppliers'::regclass and indisvalid",
    ),
  ).toBe('2');
});

test('a socket is found by its full path, as psql wants it, and from where we are', async () => {
  const { host, user } = parseTarget(inject('cluster').directUrl);
  const psqlLine = /`(psql -h [^`]*)`/.exec(guideText())?.[1] ?? '';
  expect(psqlLine).toContain('<data dir>');
  const command = psqlLine
    .replace('<data dir>', relative(process.cwd(), join(host, '..')))
    .replace(/ kanbase$/, ' -Xtc "select 7" postgres');
  const done = spawnSync('sh', ['-c', command], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
  });
  expect(done.stdout.trim(), done.stderr).toBe('7');

  const url = `postgres://${user}@/postgres?host=${encodeURIComponent(relative(place.path, host))}`;
  const status = await runKanbase(['migrate', 'status'], { cwd: place.path, env: { DATABASE_URL: url } });
  expect(status.stderr).toBe('');
  expect(status.stdout).toMatch(/pending {2}0001_ground\.sql/);
});

function guideText(): string {
  return readFileSync('docs/run/database.md', 'utf8');
}
