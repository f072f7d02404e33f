// An upgrade while people work: nodes of this version serve, one of the next comes, whose migrations change tables that are in use,
// and then the old ones go, one after the other. No request fails, nothing that was written is lost, and who listens hears all. The next version is
// made up; `npm run bench -- --upgrade` has an earlier commit upgraded to this one, which a clone without history cannot.

import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { afterAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { check } from '../../bench/crash/check.ts';
import { failuresOf, openLedger } from '../../bench/crash/ledger.ts';
import { startWriters, workOnTasks } from '../../bench/crash/writers.ts';
import { password, plant } from '../../bench/plant.ts';
import { seeded } from '../../bench/seeded.ts';
import { balance } from '../../bench/upgrade/balance.ts';
import { buildServerAside } from '../../scripts/build.mjs';
import { forSuite } from '../helpers/for-suite.ts';
import { freshDatabase } from '../helpers/fresh-database.ts';
import { type Served, scratch, startKanbase } from '../helpers/kanbase.ts';
import { follow, hangUp, type Row } from '../realtime/subscribe.ts';

const place = scratch('rolling');
const nodes: Served[] = [];

const database = forSuite(freshDatabase, (database) => database.drop());
const front = forSuite(balance);
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  place.remove();
});

/** The kinds of change that a release brings: they add, and what was there goes on to mean what it meant. */
const nextRelease = `
  alter table public.tasks add column mood text check (char_length(mood) <= 20);
  create index tasks_by_mood on public.tasks (project_id, mood);
  update public.tasks set mood = 'calm';
  create table public.moods (id uuid primary key default private.uuid_v7(),
    project_id uuid not null references public.projects (id) on delete cascade, name text not null);
  alter table public.moods enable row level security;`;
const nextRules = `
  create policy read on public.moods for select to authenticated
    using (project_id = any (array(select project_id from private.my_memberships)));
  grant select on public.moods to authenticated;
  create or replace function private.note_mood() returns trigger language plpgsql set search_path = '' as $$
    begin new.mood := coalesce(new.mood, 'new'); return new; end $$;
  create or replace trigger note_mood before insert on public.tasks for each row execute function private.note_mood();`;

/** A checkout of the next version: this build, that knows one migration more. */
async function nextVersion(): Promise<string> {
  const checkout = join(place.path, 'next');
  const server = join(checkout, 'dist/server');
  mkdirSync(join(checkout, 'dist'), { recursive: true });
  cpSync('package.json', join(checkout, 'package.json'));
  cpSync('sql', join(checkout, 'sql'), { recursive: true });
  cpSync(dirname(await buildServerAside()), server, { recursive: true });
  symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'));
  writeFileSync(join(checkout, 'sql/tables/9990_moods.sql'), nextRelease);
  writeFileSync(join(checkout, 'sql/rules/tasks/moods.sql'), nextRules);
  // What a member may do with the new column stands with the other rights of its table.
  appendFileSync(
    join(checkout, 'sql/rules/tasks/tasks.sql'),
    'grant select (mood), update (mood) on public.tasks to authenticated;',
  );
  const last = readdirSync('sql/tables')
    .filter((name) => /^\d.*\.sql$/.test(name))
    .sort()
    .at(-1);
  let known = 0;
  for (const name of readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.js'))) {
    const text = readFileSync(join(server, name), 'utf8');
    const taught = text.replace(`"${last}"`, () => `"${last}","9990_moods.sql"`);
    if (taught !== text) known++;
    writeFileSync(join(server, name), taught);
  }
  expect(known).toBe(1);
  return join(server, 'main.js');
}

async function start(name: string, main?: string): Promise<Served> {
  const node = await startKanbase(['--data-dir', join(place.path, name)], {
    ...(main === undefined ? {} : { main }),
    env: {
      DATABASE_URL: database.url,
      DATABASE_DIRECT_URL: database.directUrl,
      JWT_SECRET: 'the-same-on-all-nodes-0123456789abcdef',
      STORAGE_DIR: join(place.path, 'files'),
      DATA_MAX_ROWS: '0',
    },
  });
  nodes.push(node);
  return node;
}

test('old and new serve one database, one after another is replaced, and nobody who works notices', async () => {
  const [first, second] = [await start('first'), await start('second')];
  front.nodes.push(first.url, second.url);
  const realtime = { transport: WebSocket as never, heartbeatIntervalMs: 1000 };
  const ada = createClient(front.url, first.anonKey, { auth: { persistSession: false }, realtime });
  const door = { agent: new Agent({ keepAlive: false }), url: front.url, anonKey: first.anonKey };
  const planted = await plant(door);
  const { error } = await ada.auth.signInWithPassword({ email: planted.owner.email, password });
  if (error !== null) throw error;
  const { project: id, columns } = planted;
  const { events, system } = await follow(ada, [{ table: 'tasks', filter: `project_id=eq.${id}` }]);

  const ledger = openLedger();
  const work = startWriters({ door, planted, ledger, dice: seeded(20) }, 4, workOnTasks);
  const some = async (): Promise<void> => {
    const before = ledger.answered.length;
    const standing = () => (failuresOf(ledger).length > 0 ? failuresOf(ledger) : ledger.answered.length > before + 80);
    await expect.poll(standing, { timeout: 60_000 }).toBe(true);
  };
  await some();

  const next = await start('next', await nextVersion());
  expect((await ada.from('tasks').select('mood').eq('project_id', id).limit(1)).error).toBe(null);
  // The old ones go on with the tables of the next version, and say so to whoever sends them requests.
  await some();
  for (const node of [first, second, next]) expect((await fetch(`${node.url}/ready`)).status).toBe(200);

  for (const old of [first, second]) {
    if (!front.nodes.includes(next.url)) front.nodes.push(next.url);
    front.nodes.splice(front.nodes.indexOf(old.url), 1);
    expect(await old.stop()).toMatchObject({ code: 0 });
    await some();
  }
  await work.stop();
  expect(failuresOf(ledger)).toEqual([]);
  expect(await check(door, planted, ledger)).toMatchObject({ lost: [], twice: [], wrong: [] });
  expect(ledger.files.size).toBeGreaterThan(0);

  // Who listened heard it live, or was told when to read again, which may be a moment after the last node went; what comes then comes live.
  const heardLast = async (): Promise<boolean> => {
    await ada.from('tasks').insert({ project_id: id, column_id: columns[0], title: 'The last' });
    return events.list.some((event) => (event.new as Row).title === 'The last');
  };
  await expect.poll(heardLast, { timeout: 60_000, interval: 250 }).toBe(true);
  expect(system.list.at(-1)?.status).toBe('ok');
  await hangUp(ada);
}, 180_000);
