// Random histories: two tabs of one person and another person write the same rows, some of it delayed, undo and redo before the answer,
// lose requests and answers, are refused in whole or in part, hear of everything late, and are closed and opened anew. In the end every tab
// shows what the server has, all that was done was sent or told of, and nothing of others was overwritten by what was sent again.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDevice } from '../../../test/helpers/device.ts';
import { taskRow } from '../../../test/helpers/task-row.ts';
import { type Door, Refusal } from '../door.ts';
import { type Diff, type RowDiff, rowKey, update } from '../rows/diff.ts';
import type { TaskRow } from '../rows/rows.ts';
import { type RowChange, Store } from '../rows/store.ts';
import { type Entry, type Mutation, PartRefusal } from './entries.ts';
import { openJournal } from './journal.ts';
import { openSavedEntries } from './saved-entries.ts';
import { resend, type Timer } from './sending.ts';

const ids = ['a', 'b', 'c'] as const;
const columns = ['title', 'priority'] as const;
type Column = (typeof columns)[number];
type Patch = Partial<Record<Column, string>>;
interface Write {
  readonly id: string;
  readonly patch: Patch;
}

/** The rows as the server has them, and everything it tells of them. */
function openServer() {
  const rows = new Map(ids.map((id) => [id as string, taskRow(id, { version: 0 })]));
  const log: RowChange[] = ids.map((id) => ({ table: 'tasks', row: taskRow(id, { version: 0 }) }));
  let version = 0;
  return {
    rows,
    log,
    write({ id, patch }: Write): TaskRow {
      version++;
      const row = { ...(rows.get(id) ?? taskRow(id)), ...patch, version } as TaskRow;
      rows.set(id, row);
      log.push({ table: 'tasks', row });
      return row;
    },
  };
}

type Server = ReturnType<typeof openServer>;

/** Requests on their way: served some time, and answered or lost some time. */
interface Request {
  serve(): void;
  answer(): void;
  lose(): void;
}

type Ask = <T>(work: () => T) => Promise<T>;

function openWire() {
  const wire: Request[] = [];
  const ask: Ask = <T>(work: () => T) =>
    new Promise<T>((resolve, reject) => {
      let outcome: { readonly value: T } | { readonly refused: Error } | null = null;
      const request: Request = {
        serve() {
          if (outcome !== null) return;
          try {
            outcome = { value: work() };
          } catch (thrown) {
            outcome = { refused: thrown as Error };
          }
        },
        answer() {
          request.serve();
          wire.splice(wire.indexOf(request), 1);
          if (outcome !== null && 'value' in outcome) resolve(outcome.value);
          else if (outcome !== null) reject(outcome.refused);
        },
        lose() {
          wire.splice(wire.indexOf(request), 1);
          reject(new Refusal('Failed to fetch', '', 0));
        },
      };
      wire.push(request);
    });

  return { wire, ask };
}

/** The part of the client that reads rows. */
const readingDoor = (server: Server, ask: Ask) =>
  ({
    from: () => ({
      select: () => {
        const query = {
          in: () => query,
          // biome-ignore lint/suspicious/noThenProperty: a query of the client is awaited
          then: (resolve: (result: object) => void, reject: (why: unknown) => void) =>
            void ask(() => [...server.rows.values()]).then(
              (data) => resolve({ data, error: null, status: 200 }),
              reject,
            ),
        };
        return query;
      },
    }),
  }) as unknown as Door;

/** Takes the writes of a tab, and tells which of them it should not have been sent. */
function openWrites({ server, refuses, served, overwritten }: World) {
  return (label: string, writes: readonly Write[], baseline: Diff, basedOn: Door['basedOn']): RowChange[] => {
    const refusal = refuses();
    if (refusal === 'whole') throw new Refusal('Not allowed', '42501', 403);
    const [first] = writes;
    const left = refusal === 'part' && writes.length > 1 ? first : undefined;
    const wanted = writes.filter((write) => write !== left);
    for (const { id } of wanted) {
      const version = basedOn?.get(`tasks ${id}`);
      if (version !== undefined && version !== server.rows.get(id)?.version)
        throw new Refusal('Someone else has changed it since', 'KB017', 409);
    }
    served.add(label);
    const rows = wanted.map((write): RowChange => {
      const based = baseline.find((one) => rowKey(one) === write.id);
      for (const [column, value] of Object.entries(write.patch)) {
        const is = server.rows.get(write.id)?.[column as Column];
        const before = based?.kind === 'update' ? (based.before as Patch)[column as Column] : undefined;
        if (basedOn !== undefined && is !== value && is !== before) overwritten.push(`${label} over ${is}`);
      }
      return { table: 'tasks', row: server.write(write) };
    });
    if (left !== undefined)
      throw new PartRefusal(new Refusal('blocked', 'KB001', 409), [{ table: 'tasks', key: left.id }], rows);
    return rows;
  };
}

interface World {
  readonly server: Server;
  readonly refuses: () => 'whole' | 'part' | null;
  readonly device: ReturnType<typeof openDevice>;
  /** By their labels: what the server was asked to write, and what the person was told will not be written. */
  readonly served: Set<string>;
  readonly settled: Set<string>;
  readonly made: Set<string>;
  readonly overwritten: string[];
}

/** One page, from its opening until it is closed or loaded anew. */
function openPage(name: string, world: World) {
  const { server, device } = world;
  const store = new Store();
  const timers: (() => void)[] = [];
  const timer: Timer = (work) => void timers.push(work);
  const { wire, ask } = openWire();
  const door = readingDoor(server, ask);
  const write = openWrites(world);
  /** One is sent at a time. */
  let sent: Entry | null = null;
  let heard = 0;

  function mutationOf(label: string, writes: readonly Write[], options: Partial<Mutation> = {}): Mutation {
    return {
      name: 'write',
      args: writes,
      label,
      apply: (reader) =>
        writes.flatMap(({ id, patch }) => {
          const row = reader.get('tasks', id);
          return (row && update('tasks', row, patch as Partial<TaskRow>)) ?? [];
        }),
      send(at) {
        const baseline = sent?.baseline ?? [];
        return ask(() => write(label, writes, baseline, at.basedOn));
      },
      ...options,
    };
  }

  const { storage, locks } = device;
  const loadRestore = async () => (_: string, args: unknown, label: string) => mutationOf(label, args as Write[]);
  const saved = openSavedEntries('ada', { storage, locks, window: name, loadRestore });
  const journal = openJournal({
    store,
    timer,
    saved,
    revert: (diff, label) => mutationOf(`Undid ${label}`, diff.flatMap(writeOf), { silent: true }),
    send(entry) {
      sent = entry;
      return entry.checksConflicts ? resend(door, entry) : entry.send(door);
    },
  });
  journal.subscribe((event) => {
    if (event.kind === 'shown') world.made.add(event.entry.label);
    if (event.kind === 'refused' || (event.kind === 'undone' && event.entry.state === 'undone'))
      world.settled.add(event.entry.label);
  });
  const recover = () => saved.recover((mutation, entry) => void journal.resume(mutation, entry).catch(() => undefined));
  recover();

  return {
    store,
    journal,
    wire,
    recover,
    edit(chosen: readonly string[], column: Column, value: string, isDelayed: boolean) {
      const writes = chosen.map((id) => ({ id, patch: { [column]: value } }));
      const mutation = mutationOf(`${name} ${column} ${value}`, writes, isDelayed ? { delay: 8000 } : {});
      journal.run(mutation).catch(() => undefined);
    },
    /** Hears of so many changes, in the order in which they were made. */
    hear(most: number) {
      const changes = server.log.slice(heard, heard + most);
      heard += changes.length;
      store.receive(changes, true);
      return changes.length > 0;
    },
    fetch() {
      const since = store.now();
      ask(() => [...server.rows.values()])
        .then((rows) => store.replace('tasks', () => true, rows, since))
        .catch(() => undefined);
    },
    tick() {
      const due = timers.splice(0);
      for (const work of due) work();
      return due.length > 0;
    },
    /** What is on its way may still arrive, but nobody hears of it. */
    close(arrives: boolean) {
      if (arrives) for (const request of [...wire]) request.serve();
      journal.clear();
      saved.close();
      for (const request of [...wire]) request.lose();
    },
  };
}

function writeOf(one: RowDiff): Write[] {
  return one.kind === 'update' ? [{ id: rowKey(one), patch: one.after as Patch }] : [];
}

const someone = fc.nat({ max: 1 });
const some = fc.subarray([...ids], { minLength: 1, maxLength: 2 });
const column = fc.constantFrom(...columns);
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ does: fc.constant('edit' as const), tab: someone, ids: some, column }) },
  fc.record({ does: fc.constant('delayed' as const), tab: someone, ids: some, column }),
  fc.record({ does: fc.constant('other' as const), id: fc.constantFrom(...ids), column }),
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'undo' as const,
        'redo' as const,
        'serve' as const,
        'answer' as const,
        'lose' as const,
        'tick' as const,
        'fetch' as const,
        'reload' as const,
      ),
      tab: someone,
      at: fc.nat({ max: 3 }),
    }),
  },
  fc.record({ does: fc.constant('hear' as const), tab: someone, most: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ does: fc.constantFrom('refuse' as const, 'refusePart' as const) }),
);

const settle = async (): Promise<void> => {
  for (let round = 0; round < 30; round++) await Promise.resolve();
};

test('random histories end in every tab with what the server has; nothing is lost, and nothing of others overwritten unseen', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const server = openServer();
      let refusal: 'whole' | 'part' | null = null;
      const refuses = () => {
        const now = refusal;
        refusal = null;
        return now;
      };
      const labels = { served: new Set<string>(), settled: new Set<string>(), made: new Set<string>() };
      const world: World = { server, refuses, device: openDevice(), ...labels, overwritten: [] };
      const tabs = ['first', 'second'].map((name) => openPage(name, world));
      for (const tab of tabs) tab.hear(ids.length);
      for (const [turn, one] of steps.entries()) {
        if (one.does === 'other') server.write({ id: one.id, patch: { [one.column]: `other ${turn}` } });
        else if (one.does === 'refuse') refusal = 'whole';
        else if (one.does === 'refusePart') refusal = 'part';
        else if ('tab' in one) {
          const tab = tabs[one.tab];
          if (tab === undefined) continue;
          if ('ids' in one) tab.edit(one.ids, one.column, `mine ${turn}`, one.does === 'delayed');
          else if (one.does === 'hear') tab.hear(one.most);
          else if (one.does === 'undo') tab.journal.undo();
          else if (one.does === 'redo') tab.journal.redo();
          else if (one.does === 'tick') tab.tick();
          else if (one.does === 'fetch') tab.fetch();
          else if (one.does === 'reload') {
            tab.close(one.at % 2 === 0);
            tabs[one.tab] = openPage(`page ${turn}`, world);
          } else if ('at' in one) tab.wire[one.at % Math.max(1, tab.wire.length)]?.[one.does]();
        }
        await settle();
      }
      for (let goes = true; goes; ) {
        goes = false;
        for (const tab of tabs) {
          tab.recover();
          const [request] = tab.wire;
          request?.answer();
          const ticked = tab.tick();
          goes = request !== undefined || ticked || tab.hear(1) || goes;
          await settle();
        }
      }
      expect(world.overwritten).toEqual([]);
      expect([...world.made].filter((label) => !world.served.has(label) && !world.settled.has(label))).toEqual([]);
      for (const tab of tabs) {
        expect(tab.journal.busy).toBe(false);
        for (const id of ids) expect(tab.store.get('tasks', id)).toEqual(server.rows.get(id));
      }
    }),
    { numRuns: 300 },
  );
});
