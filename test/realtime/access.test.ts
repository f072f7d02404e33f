// Policies hold for every event, from either source: joining, leaving, removal, and lost access to a row.

import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { type ChangeEvent, type Events, follow, hangUp, project } from './subscribe.ts';

/** Tables of someone's own: rows one may see by a flag, a column without a grant, no row security at all. */
const ownTables = `
  create table public.notes (id int primary key, owner uuid, is_open boolean not null default true, body text, secret text);
  alter table public.notes enable row level security;
  alter table public.notes replica identity full;
  create policy open_or_own on public.notes for select using (is_open or owner = auth.uid());
  grant select (id, owner, is_open, body) on public.notes to authenticated;
  create table public.plain (id int primary key, body jsonb, tags text[], at timestamptz, price numeric);
  alter table public.plain replica identity full;
  grant select on public.plain to authenticated;
  create table public.hidden (id int primary key);
  create table public.crews (person uuid, crew int, primary key (person, crew));
  alter table public.crews enable row level security;
  alter table public.crews replica identity full;
  create policy own on public.crews for select using (person = auth.uid());
  grant select on public.crews to authenticated;
  create table public.letters (id int primary key, author uuid, crew int);
  alter table public.letters enable row level security;
  alter table public.letters replica identity full;
  create policy own on public.letters for select using (author = auth.uid());
  create policy of_crew on public.letters for select using (crew in (select c.crew from public.crews c where c.person = auth.uid()));
  grant select on public.letters to authenticated;
  create table public.offers (id int primary key, until timestamptz not null default now() + interval '1 day');
  alter table public.offers enable row level security;
  create policy standing on public.offers for select using (until > now());
  grant select on public.offers to authenticated;
  create table public.days (day date, title text, primary key (day, title)) partition by range (day);
  alter table public.days replica identity full;
  create table public.days_of_2026 partition of public.days for values from ('2026-01-01') to ('2027-01-01');
  alter table public.days_of_2026 replica identity full;
  grant select on public.days to authenticated;
  alter publication supabase_realtime add table public.notes, public.plain, public.hidden, public.crews, public.letters, public.offers, public.days;
`;

describe.each(['log', 'triggers'])('changes from %s', (source) => {
  let ada: TestUser;
  let bob: TestUser;
  const app = forSuite(() =>
    startApp({ settings: { REALTIME_SOURCE: source, METRICS_ADDRESSES: 'loopback' }, prepare: ownTables }),
  );
  beforeAll(async () => {
    ada = await app.createUser({ name: 'Ada' });
    bob = await app.createUser({ name: 'Bob' });
  });

  /** A row that both see, sent last: what was to come before it has come. */
  let marks = 1000;
  async function settled(...listeners: readonly Events<ChangeEvent>[]): Promise<void> {
    const id = ++marks;
    await app.sql('insert into public.plain (id) values ($1)', [id]);
    for (const events of listeners) await events.first((one) => (one.new as { id?: unknown }).id === id, `mark ${id}`);
  }

  const kinds = (events: Events<ChangeEvent>, table: string): string[] =>
    events.list.filter((one) => one.table === table).map(({ eventType }) => eventType);

  // First, while nobody else is remembered. What one sees of offers changes with the hour: it is never asked ahead of time.
  test('answers about those who have left are forgotten, also where they held for a moment only', async () => {
    const remembered = async (): Promise<number> => {
      const text = await (await fetch(`${app.url}/metrics`)).text();
      return Number(/^kanbase_realtime_answers (\d+)/m.exec(text)?.[1]);
    };
    await follow(bob.client, [{ table: 'offers' }], 'forgotten');
    const offer = 'insert into public.offers (id) select count(*) from public.offers';
    await expect.poll(() => app.sql(offer).then(remembered)).toBe(1);
    await hangUp(bob.client);
    await expect.poll(remembered).toBe(0);
  });

  test('a member who is removed hears that, and nothing after it', async () => {
    const { id, column } = await project(ada);
    const add = (title: string) => ada.client.from('tasks').insert({ project_id: id, column_id: column, title });
    const { events } = await follow(bob.client, [{}], 'removed');
    await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
      id,
      bob.id,
    ]);
    // Not any membership: where the log is read late, Ada's own, of before, is told as well.
    const own = (one: ChangeEvent) => (one.new as { user_id?: unknown }).user_id === bob.id;
    await events.first((one) => one.table === 'project_members' && one.eventType === 'INSERT' && own(one));
    await add('seen');
    await events.first((one) => one.table === 'tasks' && one.eventType === 'INSERT');
    await app.sql('delete from public.project_members where project_id = $1 and user_id = $2', [id, bob.id]);
    await add('unseen');
    const gone = await events.first((one) => one.table === 'project_members' && one.eventType === 'DELETE');
    expect(gone.old).toEqual({ project_id: id, user_id: bob.id, group_id: null });
    await settled(events);
    expect(kinds(events, 'tasks')).toEqual(['INSERT']);
    await hangUp(bob.client);
  });

  test('a project that is deleted is gone for its members, row by row, and for nobody else', async () => {
    const { id, column } = await project(ada);
    await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      id,
      bob.id,
    ]);
    const eve = await app.createUser({ name: 'Eve' });
    const member = await follow(bob.client, [{ table: 'tasks' }, { table: 'projects' }, { table: 'plain' }], 'deleted');
    const stranger = await follow(
      eve.client,
      [{ table: 'tasks' }, { table: 'projects' }, { table: 'plain' }],
      'deleted',
    );
    const { data: task } = await ada.client
      .from('tasks')
      .insert({ project_id: id, column_id: column, title: 'Last' })
      .select('id')
      .single();
    await member.events.first(({ eventType }) => eventType === 'INSERT');
    // For good; who deletes one puts it aside first.
    await app.sql('delete from projects where id = $1', [id]);
    const goneTask = await member.events.first((one) => one.table === 'tasks' && one.eventType === 'DELETE');
    expect(goneTask).toMatchObject({ old: { id: task?.id }, new: {} });
    const goneProject = await member.events.first((one) => one.table === 'projects' && one.eventType === 'DELETE');
    expect(goneProject.old).toEqual({ id });
    await settled(member.events, stranger.events);
    expect(kinds(stranger.events, 'tasks')).toEqual([]);
    expect(kinds(stranger.events, 'projects')).toEqual([]);
    await hangUp(bob.client, eve.client);
  });

  test('a project that is put aside is gone for its members, and there again when it is brought back', async () => {
    const { id } = await project(ada);
    await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      id,
      bob.id,
    ]);
    const { events } = await follow(bob.client, [{ table: 'projects' }, { table: 'project_members' }], 'aside');
    await ada.client.from('projects').delete().eq('id', id);
    const gone = await events.first((one) => one.table === 'projects' && one.eventType === 'DELETE');
    expect(gone.old).toEqual({ id });
    await events.first((one) => one.table === 'project_members' && one.eventType === 'DELETE');
    await ada.client.rpc('restore_project', { project_id: id });
    await events.first((one) => one.table === 'project_members' && one.eventType === 'INSERT');
    await hangUp(bob.client);
  });

  /** Ends when the server has looked at the database twice since, for those who lose sight of something. */
  async function viewsMoved(): Promise<void> {
    const [{ now } = { now: '' }] = await app.sql<{ now: string }>('select clock_timestamp()::text as now');
    for (;;) {
      const [row] = await app.sql<{ views: number }>(
        `select count(*)::int as views from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction' and xact_start > $1`,
        [now],
      );
      if ((row?.views ?? 0) >= 2) return;
    }
  }

  if (source === 'log')
    test('views of the database that nothing needs any more end', async () => {
      await follow(bob.client, [{ table: 'projects' }], 'views');
      const open = async (): Promise<number> => {
        const [row] = await app.sql<{ views: number }>(
          "select count(*)::int as views from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
        );
        return row?.views ?? 0;
      };
      const [sender] = await app.sql<{ pid: number }>(
        'select active_pid as pid from pg_replication_slots where database = current_database()',
      );
      process.kill(sender?.pid ?? 0, 'SIGSTOP');
      try {
        await project(ada);
        await expect.poll(open).toBeGreaterThan(2);
      } finally {
        process.kill(sender?.pid ?? 0, 'SIGCONT');
      }
      await expect.poll(open).toBeLessThan(3);
      await hangUp(bob.client);
    });

  test('a person who loses access to rows hears of it, however late the change is read', async () => {
    const { id } = await project(ada);
    await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
      id,
      bob.id,
    ]);
    const { events } = await follow(bob.client, [{ table: 'project_members' }, { table: 'projects' }], 'late');
    const remove = 'delete from public.project_members where project_id = $1 and user_id = $2';
    if (source === 'log') {
      const [sender] = await app.sql<{ pid: number }>(
        'select active_pid as pid from pg_replication_slots where database = current_database()',
      );
      process.kill(sender?.pid ?? 0, 'SIGSTOP');
      try {
        await app.sql(remove, [id, bob.id]);
        await viewsMoved();
      } finally {
        process.kill(sender?.pid ?? 0, 'SIGCONT');
      }
    } else {
      const [writer, holder] = [
        new pg.Client(connectionOptions(app.ownerUrl)),
        new pg.Client(connectionOptions(app.ownerUrl)),
      ];
      await Promise.all([writer.connect(), holder.connect()]);
      await writer.query('begin');
      await writer.query(remove, [id, bob.id]);
      await holder.query('begin');
      const held = holder.query('lock table private.changes in access exclusive mode');
      while (
        (await app.sql('select from pg_locks where not granted and relation = $1::regclass', ['private.changes']))
          .length === 0
      );
      await writer.query('commit');
      await held;
      await viewsMoved();
      await Promise.all([writer.end(), holder.end()]);
    }
    const gone = await events.first((one) => one.table === 'project_members' && one.eventType === 'DELETE');
    expect(gone.old).toEqual({ project_id: id, user_id: bob.id, group_id: null });
    await hangUp(bob.client);
  });

  test('a member removed right after joining hears both changes, and a new follower hears the removal', async () => {
    const { id } = await project(ada);
    const name = { project_id: id, user_id: bob.id, group_id: null };
    const own = [{ table: 'project_members', filter: `user_id=eq.${bob.id}` }];
    for (const round of [1, 2, 3]) {
      const { events } = await follow(bob.client, own, `at once ${round}`);
      for (let time = 1; time <= 5; time++) {
        await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
          id,
          bob.id,
        ]);
        await events.count(2 * time - 1);
        await app.sql('delete from public.project_members where project_id = $1 and user_id = $2', [id, bob.id]);
        await events.count(2 * time);
      }
      const seen = events.list.map(({ eventType, old }) => [eventType, old]);
      expect(seen).toEqual(
        Array.from({ length: 5 }, () => [
          ['INSERT', {}],
          ['DELETE', name],
        ]).flat(),
      );
      await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
        id,
        bob.id,
      ]);
      const later = await follow(bob.client, own, `just begun ${round}`);
      await app.sql('delete from public.project_members where project_id = $1 and user_id = $2', [id, bob.id]);
      const gone = await later.events.first(({ eventType }) => eventType === 'DELETE');
      expect(gone.old).toEqual(name);
      await hangUp(bob.client);
    }
  });

  test('a row that leaves sight is announced as gone, without its contents, and one that comes into sight is told', async () => {
    const owner = await follow(ada.client, [{ table: 'notes' }], 'leaving');
    const other = await follow(bob.client, [{ table: 'notes' }, { table: 'plain' }], 'leaving');
    await app.sql(`insert into public.notes (id, owner, body, secret) values (1, $1, 'first', 'x')`, [ada.id]);
    await app.sql(`update public.notes set is_open = false, body = 'closed' where id = 1`);
    await app.sql(`update public.notes set body = 'still closed' where id = 1`);
    await app.sql(`update public.notes set is_open = true where id = 1`);
    await app.sql('delete from public.notes where id = 1');
    await settled(other.events);
    await owner.events.count(5);
    expect(kinds(owner.events, 'notes')).toEqual(['INSERT', 'UPDATE', 'UPDATE', 'UPDATE', 'DELETE']);
    const seen = other.events.list.filter(({ table }) => table === 'notes');
    expect(seen.map(({ eventType, new: row, old }) => [eventType, (row as { body?: string }).body, old])).toEqual([
      ['INSERT', 'first', {}],
      ['DELETE', undefined, { id: 1 }],
      ['UPDATE', 'still closed', { id: 1 }],
      ['DELETE', undefined, { id: 1 }],
    ]);
    // A column without a grant is not in it, nor is its name.
    expect(JSON.stringify(seen)).not.toContain('secret');
    await hangUp(ada.client, bob.client);
  });

  // One right ends and another begins, and the log is read when all of it is over: nobody can tell any more who saw which
  // version, but whoever had a row that is not there any more hears that.
  if (source === 'log')
    test.each([
      ['gone since', true],
      ['still there', false],
    ])('a row that one sees by another right than before, and that is %s', async (_when, isGone) => {
      const [letter, crew] = isGone ? [1, 1] : [2, 2];
      await app.sql('insert into public.letters values ($1, $2, 0)', [letter, bob.id]);
      const bindings = [{ table: 'letters' }, { table: 'crews' }, { table: 'plain' }];
      const { events } = await follow(bob.client, bindings, `letters ${letter}`);
      const [sender] = await app.sql<{ pid: number }>(
        'select active_pid as pid from pg_replication_slots where database = current_database()',
      );
      process.kill(sender?.pid ?? 0, 'SIGSTOP');
      try {
        await app.sql(`
          begin; insert into public.crews values ('${bob.id}', ${crew}); commit;
          begin; update public.letters set author = null, crew = ${crew} where id = ${letter}; commit;
          ${isGone ? `begin; delete from public.letters where id = ${letter}; commit;` : ''}`);
      } finally {
        process.kill(sender?.pid ?? 0, 'SIGCONT');
      }
      await settled(events);
      expect(kinds(events, 'crews')).toEqual(['INSERT']);
      expect(kinds(events, 'letters').includes('DELETE')).toBe(isGone);
      await hangUp(bob.client);
    });

  // Triggers tell of rows alone: there the server hears of it when it looks at the schema anew.
  if (source === 'log')
    test('a policy or a right that changes holds from the next change on', async () => {
      const { events } = await follow(bob.client, [{ table: 'notes' }, { table: 'plain' }], 'changing');
      const note = (id: number) =>
        app.sql(`insert into public.notes (id, owner, body) values ($1, $2, 'said')`, [id, ada.id]);
      const seen = (): unknown[] => events.list.filter(({ table }) => table === 'notes').map((one) => one.new);
      await note(30);
      // Nothing about it is new: what is known stays.
      await app.sql('analyze public.notes');
      await note(31);
      await settled(events);
      await app.sql('alter policy open_or_own on public.notes using (owner = auth.uid())');
      await note(32);
      await settled(events);
      expect(seen()).toMatchObject([{ id: 30 }, { id: 31 }]);
      await app.sql('alter policy open_or_own on public.notes using (is_open or owner = auth.uid())');
      await app.sql('revoke select (body) on public.notes from authenticated');
      await note(33);
      await settled(events);
      await app.sql('grant select (body) on public.notes to authenticated');
      await note(34);
      await settled(events);
      const shown = { owner: ada.id, is_open: true };
      expect(seen().slice(2)).toEqual([
        { id: 33, ...shown },
        { id: 34, ...shown, body: 'said' },
      ]);
      await hangUp(bob.client);
    });

  test('a role without any grant on a table hears nothing of it, not even that something has changed', async () => {
    const { events } = await follow(ada.client, [{ table: 'hidden' }, { table: 'plain' }], 'hidden');
    await app.sql('insert into public.hidden values (1)');
    await app.sql('update public.hidden set id = 2');
    await app.sql('delete from public.hidden');
    await app.sql('insert into public.plain (id) values (4711)');
    await events.first(({ table }) => table === 'plain');
    expect(events.list.filter(({ table }) => table === 'hidden')).toEqual([]);
    await hangUp(ada.client);
  });

  test('without row security old rows are whole, and values look as the data door answers them', async () => {
    const { events } = await follow(ada.client, [{ table: 'plain' }], 'values');
    await app.sql(
      `insert into public.plain values (7, '{"a":[1,null,"x"]}', '{"a, b",NULL,"say \\"hi\\""}', '2026-01-02 03:04:05.6+00', 1.50)`,
    );
    const { data } = await ada.client.from('plain').select().eq('id', 7).single();
    const inserted = await events.first((one) => (one.new as { id?: number }).id === 7);
    expect(inserted.new).toEqual(data);
    await app.sql('update public.plain set price = 2 where id = 7');
    const updated = await events.first(({ eventType }) => eventType === 'UPDATE');
    expect(updated.old).toEqual(data);
    await app.sql('delete from public.plain where id = 7');
    const deleted = await events.first(({ eventType }) => eventType === 'DELETE');
    expect(deleted.old).toEqual({ ...data, price: 2 });
    await hangUp(ada.client);
  });

  test('rows of a partition are told of as those of their table', async () => {
    const { events } = await follow(ada.client, [{ table: 'days' }], 'days');
    await app.sql(`insert into public.days values ('2026-05-01', 'first')`);
    await app.sql(`update public.days set title = 'second'`);
    await app.sql('delete from public.days');
    await events.count(3);
    expect(events.list.map(({ table, eventType, new: row }) => [table, eventType, row])).toEqual([
      ['days', 'INSERT', { day: '2026-05-01', title: 'first' }],
      ['days', 'UPDATE', { day: '2026-05-01', title: 'second' }],
      ['days', 'DELETE', {}],
    ]);
    await hangUp(ada.client);
  });

  test('rolled back rows are never sent, and committed rows come in order', async () => {
    const { events } = await follow(ada.client, [{ table: 'plain', event: 'INSERT' }], 'order');
    await app.sql(
      'do $$ begin insert into public.plain (id) values (500); raise exception $x$no$x$; exception when others then null; end $$',
    );
    await app.sql('insert into public.plain (id) select generate_series(2000, 2299)');
    await app.sql('insert into public.plain (id) values (2300)');
    await events.first((one) => (one.new as { id?: number }).id === 2300);
    expect(events.list.map((one) => (one.new as { id: number }).id)).toEqual(
      Array.from({ length: 301 }, (_, index) => 2000 + index),
    );
    await hangUp(ada.client);
  });
});
