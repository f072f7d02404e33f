// Catalog of the data API: changes of the schema take effect without a restart and fail no request; a thousand tables load at once, and a database
// without our tables is served like any other.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../server/config/read-config.ts';
import { loadCatalog } from '../../server/data/catalog/load-catalog.ts';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { withDatabase } from '../../server/database/connection-url.ts';
import { openServices } from '../../server/open-services.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { expectReply, startApi } from './api.ts';

const api = forSuite(startApi);

const grant =
  'grant all on all tables in schema harbour to anon; grant execute on all functions in schema harbour to anon';

describe('changes', () => {
  test('a new table, column, function and reference are there with the next request', async () => {
    expectReply(await api.get('/wharves'), { status: 404 });
    await api.sql(
      `create table harbour.wharves (id int primary key, port_id int references harbour.ports (id)); insert into harbour.wharves values (1, 1); ${grant}`,
    );
    expectReply(await api.get('/wharves'), { json: [{ id: 1, port_id: 1 }] });
    expectReply(await api.get('/wharves?select=id,ports(name)'), { json: [{ id: 1, ports: { name: 'Aalborg' } }] });
    await api.sql('alter table harbour.wharves add column planks int default 3');
    expectReply(await api.get('/wharves?select=planks'), { json: [{ planks: 3 }] });
    expectReply(
      await api.ask('PATCH', '/wharves?id=eq.1&select=planks', {
        body: { planks: 4 },
        prefer: 'return=representation',
      }),
      { json: [{ planks: 4 }] },
    );
    await api.sql(`create function harbour.plank_count() returns int language sql stable as 'select 7'; ${grant}`);
    expectReply(await api.get('/rpc/plank_count'), { json: 7 });
    await api.sql('alter table harbour.wharves rename column planks to boards');
    expectReply(await api.get('/wharves?select=boards'), { json: [{ boards: 4 }] });
    await api.sql(
      'alter table harbour.wharves add primary_berth int; alter table harbour.wharves drop constraint wharves_port_id_fkey',
    );
    await api.sql(`notify pgrst, 'reload schema'`);
    await expect.poll(async () => (await api.get('/wharves?select=id,ports(name)')).status).toBe(400);
    await api.sql('drop table harbour.wharves');
    expect((await api.get('/wharves')).status).toBe(404);
  });

  test('no request in flight fails while the catalog is read again and again', async () => {
    let busy = true;
    const reload = (async () => {
      for (let round = 0; round < 8; round += 1)
        await api.sql(`comment on table harbour.buoys is 'round ${round}'; notify pgrst, 'reload schema'`);
      busy = false;
    })();
    const seen = new Set<number>();
    while (busy)
      for (const reply of await Promise.all(
        Array.from({ length: 8 }, () => api.get('/ships?select=id,captains(name)')),
      ))
        seen.add(reply.status);
    await reload;
    expect([...seen]).toEqual([200]);
  });
});

test('a thousand tables are read whole', async () => {
  // How long it takes is measured by the benchmark, where nothing else runs beside it.
  await api.sql(`
    create schema wide;
    do $$ begin
      for i in 1..1000 loop
        execute format('create table wide.t%s (id int primary key, name text not null, parent_id int references wide.t%s (id), made_at timestamptz default now(), data jsonb)', i, greatest(i - 1, 1));
      end loop;
      for i in 1..100 loop
        execute format('create view wide.v%s as select id, name, parent_id from wide.t%s', i, i);
      end loop;
    end $$`);
  const catalog = await loadCatalog(api.app.database, { schemas: ['wide'], extraSearchPath: [] });
  expect(catalog.tables.get('wide')?.size).toBe(1100);
  expect(
    catalog.relationships
      .get('wide')
      ?.get('t500')
      ?.map((one) => one.foreign.name),
  ).toEqual(expect.arrayContaining(['t499', 't501']));
  expect(
    catalog.relationships
      .get('wide')
      ?.get('v50')
      ?.map((one) => one.foreign.name),
  ).toEqual(expect.arrayContaining(['t49', 'v49', 't51', 'v51']));
});

describe('a database that was never ours', () => {
  test('other schemas, other people’s tables and policies', async () => {
    const name = `foreign_${Date.now().toString(36)}`;
    const { adminUrl } = inject('cluster');
    const admin = new pg.Client(connectionOptions(adminUrl));
    await admin.connect();
    await admin.query(`create database ${name}`);
    const theirs = new pg.Client(connectionOptions(withDatabase(adminUrl, name)));
    await theirs.connect();
    try {
      // What the data door itself calls, and nothing else of ours.
      await theirs.query('create schema data_door; grant usage on schema data_door to public');
      await theirs.query(readFileSync('sql/rules/data/answer-limits.sql', 'utf8'));
      await theirs.query(`
        create schema shop;
        create table shop.wares (id serial primary key, name text not null, owner text);
        alter table shop.wares enable row level security;
        create policy "own wares" on shop.wares using (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
        insert into shop.wares (name, owner) values ('rope', 'u1'), ('tar', 'u2');
        create table shop.prices (ware_id int primary key references shop.wares (id), cents int);
        insert into shop.prices values (1, 100), (2, 200);
        create function shop.cheapest() returns setof shop.wares language sql stable as 'select w.* from shop.wares w join shop.prices p on p.ware_id = w.id order by cents limit 1';
        grant usage on schema shop to anon, authenticated;
        grant select, insert, update, delete on all tables in schema shop to authenticated;
        grant select on shop.prices to anon;
        grant usage on all sequences in schema shop to authenticated`);
      const door = await openDoor(
        withDatabase(inject('cluster').url, name),
        withDatabase(inject('cluster').directUrl, name),
        { DATA_SCHEMAS: 'shop' },
      );
      try {
        const me = await door.token({ role: 'authenticated', sub: 'u1' });
        expect(await door.get('/wares?select=name,prices(cents)', me)).toEqual([
          200,
          [{ name: 'rope', prices: { cents: 100 } }],
        ]);
        expect(await door.get('/prices?order=ware_id', null)).toEqual([
          200,
          [
            { ware_id: 1, cents: 100 },
            { ware_id: 2, cents: 200 },
          ],
        ]);
        expect((await door.get('/wares', null))[0]).toBe(401);
        expect(await door.get('/rpc/cheapest?select=name', me)).toEqual([200, [{ name: 'rope' }]]);
      } finally {
        await door.close();
      }
    } finally {
      await theirs.end();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    }
  });
});

/** The service on a database without any of our tables. */
async function openDoor(url: string, directUrl: string, settings: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'kanbase-foreign-'));
  const { config } = readConfig({
    env: {
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: url,
      DATABASE_DIRECT_URL: directUrl,
      ...settings,
    },
  });
  const { services, app, close } = await openServices(config, { url, directUrl }, pino({ level: 'silent' }));
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    token: (claims: Record<string, unknown>) => services.sessions.sign(claims, 600),
    get: async (path: string, token: string | null): Promise<[number, unknown]> => {
      const { anonKey } = services.sessions;
      const response = await fetch(`${address}/rest/v1${path}`, {
        headers: { apikey: anonKey, authorization: `Bearer ${token ?? anonKey}` },
      });
      return [response.status, await response.json()];
    },
    close: async () => {
      await close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
