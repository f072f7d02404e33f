// The service key on your own Postgres 15, granted as docs/run/database.md says and no more: nobody there may give
// service_role its bypassrls, and it sees the rows of your own tables all the same.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openScript, runScript } from '../../server/database/wire/run-script.ts';
import { parseTarget } from '../../server/database/wire/target.ts';
import { inside } from '../browser/words.ts';
import { runKanbase, type Served, scratch, startKanbase } from '../helpers/kanbase.ts';
import { havePostgres, type OwnPostgres, startOwnPostgres } from './debian.ts';

describe.skipIf(!havePostgres)('on your own Postgres', () => {
  const place = scratch('service-key');
  const mine = join(place.path, 'mine');
  const boats = (name: string): string => `create table public.${name} (name text);
    alter table public.${name} enable row level security;
    create policy nobodys on public.${name} to authenticated using (false);
    insert into public.${name} values ('Adventure');`;
  let server: OwnPostgres;
  let owner: string;
  let served: Served;

  const run = (args: string[]) =>
    runKanbase(args, {
      cwd: place.path,
      env: { DATABASE_URL: owner, DATA_DIR: join(place.path, 'data'), MIGRATIONS_DIR: mine },
    });
  const read = async (table: string): Promise<unknown> => {
    const { service_role: key } = JSON.parse((await run(['keys', '--json'])).stdout) as { service_role: string };
    const headers = { apikey: key, Authorization: `Bearer ${key}` };
    return (await fetch(`${served.url}/rest/v1/${table}?select=name`, { headers })).json();
  };

  beforeAll(async () => {
    mkdirSync(mine);
    writeFileSync(join(mine, '1_boats.sql'), boats('boats'));
    server = await startOwnPostgres();
    await runScript(parseTarget(server.adminUrl), [
      "create role kanbase login createrole password 'secret'",
      'create database kanbase owner kanbase',
    ]);
    owner = server.url('kanbase', 'secret', 'kanbase');
    served = await startKanbase([], {
      cwd: place.path,
      env: { DATABASE_URL: owner, DATA_DIR: join(place.path, 'data'), MIGRATIONS_DIR: mine },
    });
  });
  afterAll(async () => {
    await served?.stop();
    await server?.remove();
    place.remove();
  });

  test('the rows of a migrated table are there', async () => {
    const script = await openScript(parseTarget(server.adminUrl));
    expect(await script.run("select rolbypassrls from pg_roles where rolname = 'service_role'")).toEqual([['f']]);
    script.close();
    expect(await read('boats')).toEqual([{ name: 'Adventure' }]);
  });

  test('doctor finds a table made by hand, migrate lets the service key through', async () => {
    await runScript(parseTarget(owner), [boats('canoes')]);
    const before = await run(['doctor']);
    expect(before.stdout).toMatch(
      new RegExp(`BAD .*${inside('health.tables.closed', { tables: 'public.canoes' })}\n.*kanbase migrate`),
    );
    expect(await read('canoes')).toEqual([]);
    expect((await run(['migrate'])).code).toBe(0);
    expect(await read('canoes')).toEqual([{ name: 'Adventure' }]);
    expect((await run(['doctor'])).stdout).not.toMatch(new RegExp(inside('health.tables.closed')));
  });

  test('a policy of yours for service_role stands alone', async () => {
    await runScript(parseTarget(owner), [
      `${boats('rafts')} create policy most on public.rafts to service_role using (name <> 'Adventure')`,
    ]);
    expect((await run(['migrate'])).code).toBe(0);
    expect(await read('rafts')).toEqual([]);
  });
});
