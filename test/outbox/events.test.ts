// The outbox under transactions that commit late, roll back and race: each event reaches a consumer once, those of a task in order, and what all
// consumers have read is forgotten.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addTask, makeProject } from '../sql/board.ts';

const app = forSuite(() => startApp());

let owner: TestUser;
let project: string;

interface Event {
  readonly batch: string;
  readonly since: string;
  readonly place: string;
  readonly type: string;
  readonly task_id: string;
  readonly title: string;
}

const read = (most = 100) =>
  app.sql<Event>(
    "select batch::text, since, place, type, task_id, task ->> 'title' as title from private.read_events('webhooks', $1)",
    [most],
  );

const advance = async ({ batch, since }: Event, past: string): Promise<boolean> => {
  const [row] = await app.sql<{ done: boolean }>(
    "select private.advance_events('webhooks', $1::pg_snapshot, $2, $3) as done",
    [batch, since, past],
  );
  return row?.done === true;
};

/** All that waits, as a consumer reads it. */
async function readAll(most = 100): Promise<Event[]> {
  const all: Event[] = [];
  for (let events = await read(most); events.length > 0; events = await read(most)) {
    all.push(...events);
    expect(await advance(events[0] as Event, (events.at(-1) as Event).place)).toBe(true);
  }
  return all;
}

const titles = (events: readonly Event[]) => events.map(({ title }) => title);

/** A transaction of a person, on a connection of its own. */
async function begin(): Promise<pg.Client> {
  const client = new pg.Client(connectionOptions(app.ownerUrl));
  await client.connect();
  await client.query('begin');
  return client;
}
const insert = (client: pg.Client, title: string) =>
  client.query('insert into public.tasks (project_id, title) values ($1, $2)', [project, title]);
/** Making tasks is one at a time in a project, so what is to stay open changes one. */
const rename = (client: pg.Client, task: string, title: string) =>
  client.query('update public.tasks set title = $2 where id = $1', [task, title]);
const end = async (client: pg.Client, how: 'commit' | 'rollback'): Promise<void> => {
  await client.query(how);
  await client.end();
};

beforeAll(async () => {
  owner = await app.createUser({ name: 'Olga' });
});

beforeEach(async () => {
  ({ project } = await makeProject(app, owner));
  await readAll();
  await app.sql("insert into private.event_interests (project_id, consumer) values ($1, 'webhooks')", [project]);
});

describe('an event', () => {
  it('of a transaction that commits late is read, though later ones were read before', async () => {
    const task = await addTask(app, owner, { project_id: project, title: 'first' });
    await readAll();
    const late = await begin();
    await rename(late, task, 'late');
    await addTask(app, owner, { project_id: project, title: 'quick' });
    expect(titles(await readAll())).toEqual(['quick']);
    await addTask(app, owner, { project_id: project, title: 'quick again' });
    expect(titles(await readAll())).toEqual(['quick again']);
    await end(late, 'commit');
    expect(titles(await readAll())).toEqual(['late']);
    expect(await readAll()).toEqual([]);
  });

  it('of a transaction that began before a snapshot and ends while it is worked off is in the next', async () => {
    const task = await addTask(app, owner, { project_id: project, title: 'first' });
    await readAll();
    const late = await begin();
    await rename(late, task, 'late');
    for (const title of ['a', 'b', 'c']) await addTask(app, owner, { project_id: project, title });
    const [first] = await read(1);
    expect(first?.title).toBe('a');
    await end(late, 'commit');
    expect(await advance(first as Event, (first as Event).place)).toBe(true);
    expect(titles(await readAll(1))).toEqual(['b', 'c', 'late']);
  });

  it('that was rolled back is none', async () => {
    const undone = await begin();
    await insert(undone, 'undone');
    await end(undone, 'rollback');
    await addTask(app, owner, { project_id: project, title: 'done' });
    expect(titles(await readAll())).toEqual(['done']);
  });

  it('of a task is in the order of the changes, whichever transaction began first', async () => {
    const task = await addTask(app, owner, { project_id: project, title: '0' });
    const [a, b] = [
      await addTask(app, owner, { project_id: project, title: 'a' }),
      await addTask(app, owner, { project_id: project, title: 'b' }),
    ];
    await readAll();
    const oldest = await begin();
    await rename(oldest, a, 'of the oldest');
    const early = await begin();
    // A number of its own, lower than that of the next, before it waits for the task.
    await rename(early, b, 'of the early one');
    const quick = await begin();
    await rename(quick, task, '1');
    const waits = rename(early, task, '2');
    await end(quick, 'commit');
    await waits;
    const seen = await readAll();
    await end(early, 'commit');
    seen.push(...(await readAll()));
    await end(oldest, 'commit');
    seen.push(...(await readAll()));
    expect(titles(seen.filter(({ task_id }) => task_id === task))).toEqual(['1', '2']);
    expect(seen).toHaveLength(4);
  });

  it('is read again until its consumer moves on, and moved past once', async () => {
    await addTask(app, owner, { project_id: project, title: 'once' });
    const [one] = (await read()) as [Event];
    expect(await read()).toEqual([one]);
    const both = await Promise.all([advance(one, one.place), advance(one, one.place)]);
    expect(both.toSorted()).toEqual([false, true]);
    expect(await read()).toEqual([]);
  });

  describe('notifies its consumer', () => {
    const told: string[] = [];
    let listener: pg.Client;

    beforeEach(async () => {
      await app.sql("select private.stay_awake('webhooks', 0)");
      told.length = 0;
      listener = new pg.Client(connectionOptions(app.ownerUrl));
      await listener.connect();
      listener.on('notification', ({ payload }) => told.push(payload ?? ''));
      await listener.query('listen kanbase_events');
    });
    afterEach(() => listener.end());

    /** Notifications that come by it: those between two others of its own. */
    async function notifiedBy(work: () => Promise<unknown>): Promise<number> {
      const [first, last] = [randomUUID(), randomUUID()];
      await app.sql("select pg_notify('kanbase_events', $1)", [first]);
      await work();
      await app.sql("select pg_notify('kanbase_events', $1)", [last]);
      await expect.poll(() => told.at(-1)).toBe(last);
      return told.length - told.indexOf(first) - 2;
    }
    const awake = (seconds: number) => app.sql("select private.stay_awake('webhooks', $1)", [seconds]);
    const add = (title: string) => addTask(app, owner, { project_id: project, title });

    it('unless that looks by itself, which other nodes are told of once', async () => {
      expect(await notifiedBy(() => add('told'))).toBe(1);
      expect(await notifiedBy(() => awake(50))).toBe(1);
      expect(await notifiedBy(() => awake(50))).toBe(0);
      expect(await notifiedBy(() => add('seen'))).toBe(0);
      expect(await notifiedBy(() => awake(0))).toBe(0);
      expect(await notifiedBy(() => add('told again'))).toBe(1);
      expect(titles(await readAll())).toEqual(['told', 'seen', 'told again']);
    });

    it('that said to be awake before the clock was put back', async () => {
      await awake(3600);
      expect(await notifiedBy(() => add('told'))).toBe(1);
    });

    it('when a transaction commits after that has stopped looking', async () => {
      const task = await add('first');
      await readAll();
      await awake(50);
      const late = await begin();
      await rename(late, task, 'late');
      await awake(0);
      expect(await notifiedBy(() => end(late, 'commit'))).toBe(1);
      expect(titles(await readAll())).toEqual(['late']);
    });

    it('not at all where the transaction began before that and commits while it looks', async () => {
      const task = await add('first');
      await readAll();
      const late = await begin();
      await rename(late, task, 'late');
      await awake(50);
      expect(await notifiedBy(() => end(late, 'commit'))).toBe(0);
      expect(titles(await readAll())).toEqual(['late']);
    });
  });

  it('is forgotten when every consumer has read it', async () => {
    await app.sql("insert into private.event_consumers (name, done) values ('slow', pg_current_snapshot())");
    await addTask(app, owner, { project_id: project, title: 'kept' });
    await readAll();
    const count = async () =>
      (await app.sql('select private.forget_events()')) && (await app.sql('select 1 from private.events')).length;
    expect(await count()).toBe(1);
    await app.sql("delete from private.event_consumers where name = 'slow'");
    expect(await count()).toBe(0);
  });

  it('of another server, whose data were brought here, is read', async () => {
    await addTask(app, owner, { project_id: project, title: 'brought' });
    await app.sql("update private.event_consumers set done = '900000000:900000000:', under_way = null");
    expect(titles(await readAll())).toEqual(['brought']);
  });
});

describe('racing writers', () => {
  it('lose no event and have none twice, whatever is read in between', async () => {
    const writers = 6;
    const each = 15;
    const task = await addTask(app, owner, { project_id: project, title: 'shared' });
    let writing = writers;
    const seen: Event[] = [];
    const write = async (at: number): Promise<void> => {
      for (let turn = 0; turn < each; turn++) {
        const client = await begin();
        await insert(client, `${at}.${turn}`);
        if (turn % 3 === 0) await client.query("update public.tasks set title = title || '.' where id = $1", [task]);
        await end(client, turn % 5 === 4 ? 'rollback' : 'commit');
      }
      writing--;
    };
    const reader = async (): Promise<void> => {
      while (writing > 0) seen.push(...(await readAll(7)));
      seen.push(...(await readAll(7)));
    };
    await Promise.all([reader(), ...Array.from({ length: writers }, (_, at) => write(at))]);
    const made = seen.filter(({ type }) => type === 'task.created').map(({ title }) => title);
    const expected = Array.from({ length: writers }, (_, at) =>
      Array.from({ length: each }, (_, turn) => `${at}.${turn}`).filter((_, turn) => turn % 5 !== 4),
    ).flat();
    expect(made.filter((title) => title !== 'shared').toSorted()).toEqual(expected.toSorted());
    // Each change made the title longer by one.
    const lengths = seen.filter(({ type }) => type === 'task.updated').map(({ title }) => title.length);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(new Set(lengths).size).toBe(lengths.length);
  });
});
