// Commits in Postgres' log before others can see them: answers of policies in between show the old state and are not cached.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { type Cluster, startCluster } from '../../server/database/start-cluster.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { scratch } from '../helpers/kanbase.ts';
import { putReadyCluster } from '../helpers/ready-cluster.ts';
import { follow, hangUp, openRaw, type Row } from './subscribe.ts';

const crews = `
  create table public.crews (person uuid, crew int, primary key (person, crew));
  alter table public.crews enable row level security;
  alter table public.crews replica identity full;
  create policy own on public.crews for select using (person = auth.uid());
  grant select on public.crews to authenticated;
  create table public.letters (id int primary key, crew int);
  alter table public.letters enable row level security;
  alter table public.letters replica identity full;
  create policy of_crew on public.letters for select using (crew in (select c.crew from public.crews c where c.person = auth.uid()));
  grant select on public.letters to authenticated;
  alter publication supabase_realtime add table public.crews, public.letters;
`;

const place = scratch('cluster');
afterAll(() => place.remove());
let cluster: Cluster;
const app = forSuite(async () => {
  await putReadyCluster(place.path);
  // Nobody follows this cluster: who waits for that stands in the log and is not seen. All others do not wait.
  appendFileSync(join(place.path, 'postgres', 'postgresql.conf'), "\nsynchronous_standby_names = 'nobody'\n");
  cluster = await startCluster({ dataDir: place.path, log: pino({ level: 'silent' }), fast: true });
  const database = { url: cluster.url, directUrl: cluster.directUrl, drop: () => cluster.stop() };
  return startApp({
    database,
    settings: { REALTIME_SOURCE: 'log', METRICS_ADDRESSES: 'loopback' },
    prepare: crews,
  });
});

test('a follower whose removal is under way hears nothing written after it', async () => {
  const [ada, bob] = [await app.createUser({ name: 'Ada' }), await app.createUser({ name: 'Bob' })];
  await app.sql('insert into public.crews values ($1, 1), ($2, 1)', [ada.id, bob.id]);
  const { events } = await follow(ada.client, [{ table: 'letters', filter: 'crew=eq.1' }, { table: 'crews' }]);
  const add = (id: number) => app.sql('insert into public.letters values ($1, 1)', [id]);
  const heardBy = async (id: number) => events.first((one) => (one.new as Row).id === id, `letter ${id}`);
  await add(1);
  await heardBy(1);
  const socket = await openRaw(app);
  socket.send('1', '1', 'realtime:said', 'phx_join', { config: { broadcast: { replication_ready: true } } });
  await socket.frames.first((one) => one[3] === 'system');

  const admin = new pg.Client(connectionOptions(cluster.adminUrl));
  await admin.connect();
  // Those that look at the past.
  const { rows: views } = await admin.query<{ pid: number }>(
    `select pid from pg_stat_activity where pid <> pg_backend_pid() and query ~ 'pg_current_snapshot|^rollback'`,
  );
  const writer = new pg.Client(connectionOptions(app.ownerUrl));
  await writer.connect();
  const { rows: writers } = await writer.query<{ pid: number }>('select pg_backend_pid() as pid');
  let removed: Promise<unknown> = Promise.resolve();
  for (const { pid } of views) process.kill(pid, 'SIGSTOP');
  try {
    await writer.query('set synchronous_commit = on; begin');
    await writer.query('delete from public.crews where person = $1', [bob.id]);
    await writer.query(`select realtime.send('{}', 'gone', 'said', false)`);
    removed = writer.query('commit');
    await socket.bytes.count(1, 'messages of the removal as the log has it');
    socket.send('2', '2', 'realtime:letters', 'phx_join', {
      access_token: bob.token,
      config: { postgres_changes: [{ event: '*', schema: 'public', table: 'letters', filter: 'crew=eq.1' }] },
    });
    await socket.reply('2');
    await expect
      .poll(async () => /^kanbase_realtime_answers [1-9]/m.test(await (await fetch(`${app.url}/metrics`)).text()))
      .toBe(true);
    await admin.query('select pg_cancel_backend($1)', [writers[0]?.pid]);
    await removed;
  } finally {
    for (const { pid } of views) process.kill(pid, 'SIGCONT');
    await Promise.all([admin.end(), writer.end()]);
  }
  await socket.frames.first((one) => one[2] === 'realtime:letters' && one[3] === 'system', 'following');
  await add(2);
  await heardBy(2);
  socket.send(null, 'h', 'phoenix', 'heartbeat', {});
  await socket.reply('h');
  expect(socket.frames.list.filter((one) => one[3] === 'postgres_changes')).toEqual([]);
  socket.close();
  await hangUp(ada.client);
});
