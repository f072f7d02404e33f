// The service on its embedded Postgres, killed in the middle of writes; and custom tables, which get an API like any other.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { runKanbase, type Served, scratch, startKanbase } from '../helpers/kanbase.ts';
import { putReadyCluster } from '../helpers/ready-cluster.ts';

const place = scratch('served');
const dataDir = join(place.path, 'data');
const migrations = join(place.path, 'migrations');
const args = ['--data-dir', dataDir, '--migrations-dir', migrations];
let served: Served;

const connect = () =>
  createClient(served.url, served.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  });

beforeAll(async () => {
  mkdirSync(migrations);
  writeFileSync(
    join(migrations, '001-readings.sql'),
    `create table public.readings (id int primary key, place text not null);
     comment on table public.readings is 'What the meters say.';
     alter table public.readings enable row level security;
     create policy anyone_reads on public.readings for select to anon using (place <> 'secret');
     create policy anyone_adds on public.readings for insert to anon with check (true);
     grant select, insert on public.readings to anon;`,
  );
  await putReadyCluster(dataDir);
  served = await startKanbase(args);
});

afterAll(async () => {
  await served?.stop();
  place.remove();
});

test('tables of your own get an API like any other, with their policies', async () => {
  const client = connect();
  expect(
    (
      await client.from('readings').insert([
        { id: -1, place: 'roof' },
        { id: -2, place: 'secret' },
      ])
    ).error,
  ).toBeNull();
  const { data, error } = await client.from('readings').select().order('id');
  expect(error).toBeNull();
  expect(data).toEqual([{ id: -1, place: 'roof' }]);
  expect((await client.from('readings').delete().eq('id', -1)).error?.code).toBe('42501');
});

test('kill -9 amid 1,000 acknowledged writes loses none of them', async () => {
  const acknowledged: number[] = [];
  let next = 0;
  let ended: Promise<unknown> | null = null;
  const headers = {
    apikey: served.anonKey,
    authorization: `Bearer ${served.anonKey}`,
    'content-type': 'application/json',
  };
  const writer = async (): Promise<void> => {
    for (;;) {
      const id = ++next;
      const answer = await fetch(`${served.url}/rest/v1/readings`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ id, place: 'cellar' }),
      });
      await answer.arrayBuffer();
      if (answer.status !== 201) throw new Error(`${answer.status}`);
      acknowledged.push(id);
      if (acknowledged.length === 1000) ended = served.stop('SIGKILL');
    }
  };
  await Promise.allSettled(Array.from({ length: 8 }, writer));
  await ended;
  expect(acknowledged.length).toBeGreaterThanOrEqual(1000);
  served = await startKanbase(args);
  const client = connect();
  const kept = new Set<number>();
  for (let from = 0; ; from += 1000) {
    const { data } = await client
      .from('readings')
      .select('id')
      .gt('id', 0)
      .order('id')
      .range(from, from + 999);
    for (const row of data ?? []) kept.add(row.id as number);
    if ((data ?? []).length < 1000) break;
  }
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
});

test('a second server on the directory says so and ends', async () => {
  const second = await runKanbase(['serve', '--port', '0', ...args]);
  expect(second.code).not.toBe(0);
  expect(second.stderr).toContain('in use by another Kanbase server');
  expect(second.stderr).toContain(String(served.pid));
  expect((await fetch(`${served.url}/ready`)).status).toBe(200);
});
