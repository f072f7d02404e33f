// Random histories: two tabs of one person and another person write the same rows, undo and redo before the answer, lose requests and
// answers, are refused in whole or in part, and hear of everything late. In the end every tab shows what the server has, and nothing that
// somebody else wrote meanwhile was written over by a change that was sent again.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { taskRow } from '../../../test/helpers/task-row.ts';
import { type Door, Refusal } from '../door.ts';
import { type Diff, type RowDiff, rowKey, update } from '../rows/diff.ts';
import type { TaskRow } from '../rows/rows.ts';
import { type RowChange, Store } from '../rows/store.ts';
import { openJournal } from './journal.ts';
import { type Mutation, PartRefusal } from './mutation.ts';
import { resend } from './retry.ts';
import type { Timer } from './sending.ts';

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
  /** By row and column, by whom it was last written and in which version. */
  const authors = new Map<string, { readonly by: string; readonly version: number }>();
  let version = 0;
  return {
    rows,
    log,
    authors,
    write(by: string, { id, patch }: Write): TaskRow {
      version++;
      const row = { ...(rows.get(id) ?? taskRow(id)), ...patch, version } as TaskRow;
      rows.set(id, row);
      for (const column of Object.keys(patch)) authors.set(`${id} ${column}`, { by, version });
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

/** What the server makes of the writes of one tab, and which of them it should not have been sent. */
function openWrites(name: string, server: Server, refuses: () => 'whole' | 'part' | null) {
  const overwritten: string[] = [];
  /** By mutation, the values that it was to replace. */
  const baselines = new WeakMap<Mutation, Map<string, unknown>>();
  function apply(
    mutation: Mutation,
    writes: readonly Write[],
    basedOn: Door['basedOn'],
    seen: ReadonlyMap<string, number>,
  ) {
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
    const rows = wanted.map((write): RowChange => {
      for (const [column, value] of Object.entries(write.patch)) {
        const author = server.authors.get(`${write.id} ${column}`);
        const isTheirs = author !== undefined && author.by !== name && author.version > (seen.get(write.id) ?? 0);
        const is = server.rows.get(write.id)?.[column as Column];
        const before = baselines.get(mutation)?.get(`${write.id} ${column}`);
        if (basedOn !== undefined && isTheirs && is !== value && is !== before)
          overwritten.push(`${name} wrote ${value} over ${is} of ${author.by}`);
      }
      return { table: 'tasks', row: server.write(name, write) };
    });
    if (left !== undefined)
      throw new PartRefusal(new Refusal('blocked', 'KB001', 409), [{ table: 'tasks', key: left.id }], rows);
    return rows;
  }

  return { apply, baselines, overwritten };
}

function openTab(name: string, server: Server, refuses: () => 'whole' | 'part' | null) {
  const store = new Store();
  const timers: (() => void)[] = [];
  let heard = 0;
  const timer: Timer = (work) => void timers.push(work);

  const { wire, ask } = openWire();
  const door = readingDoor(server, ask);
  const { apply, baselines, overwritten } = openWrites(name, server, refuses);
  const versionsHere = () => new Map(ids.map((id) => [id as string, store.base('tasks', id)?.version ?? 0]));

  function mutationOf(
    label: string,
    writes: readonly Write[],
    diffOf: (store: Pick<Store, 'get'>) => Diff,
    silent = false,
  ): Mutation {
    const mutation: Mutation = {
      name: label,
      args: null,
      label,
      silent,
      apply(reader) {
        const diff = diffOf(reader);
        baselines.set(
          mutation,
          new Map(
            diff.flatMap((one) =>
              one.kind === 'update'
                ? Object.entries(one.before).map(([column, value]) => [`${one.key} ${column}`, value])
                : [],
            ),
          ),
        );
        seen = versionsHere();
        return diff;
      },
      send: (at) => ask(() => apply(mutation, writes, at.basedOn, seen)),
    };
    let seen: ReadonlyMap<string, number> = new Map();
    return mutation;
  }

  const journal = openJournal({
    store,
    timer,
    revert: (diff, label) => mutationOf(`Undid ${label}`, diff.flatMap(writeOf), () => diff, true),
    send: (entry) => (entry.checksConflicts ? resend(door, entry) : entry.send(door)),
  });

  return {
    store,
    journal,
    wire,
    overwritten,
    edit(chosen: readonly string[], column: Column, value: string) {
      const diffOf = (reader: Pick<Store, 'get'>): Diff =>
        chosen.flatMap((id): RowDiff[] => {
          const row = reader.get('tasks', id);
          const one = row && update('tasks', row, { [column]: value } as Partial<TaskRow>);
          return one ? [one] : [];
        });
      const writes = chosen.map((id) => ({ id, patch: { [column]: value } }));
      journal.run(mutationOf(`${name} ${column} ${value}`, writes, diffOf)).catch(() => undefined);
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
  };
}

function writeOf(one: RowDiff): Write[] {
  return one.kind === 'update' ? [{ id: rowKey(one), patch: one.after as Patch }] : [];
}

const someone = fc.nat({ max: 1 });
const some = fc.subarray([...ids], { minLength: 1, maxLength: 2 });
const step = fc.oneof(
  fc.record({ does: fc.constant('edit' as const), tab: someone, ids: some, column: fc.constantFrom(...columns) }),
  fc.record({ does: fc.constant('other' as const), id: fc.constantFrom(...ids), column: fc.constantFrom(...columns) }),
  fc.record({
    does: fc.constantFrom(
      'undo' as const,
      'redo' as const,
      'serve' as const,
      'answer' as const,
      'lose' as const,
      'tick' as const,
      'fetch' as const,
    ),
    tab: someone,
    at: fc.nat({ max: 3 }),
  }),
  fc.record({ does: fc.constant('hear' as const), tab: someone, most: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ does: fc.constantFrom('refuse' as const, 'refusePart' as const) }),
);

const settle = async (): Promise<void> => {
  for (let round = 0; round < 30; round++) await Promise.resolve();
};

test('random histories end in every tab with what the server has, and no resend writes over somebody unseen', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const server = openServer();
      let refusal: 'whole' | 'part' | null = null;
      const refuses = () => {
        const now = refusal;
        refusal = null;
        return now;
      };
      const tabs = ['first', 'second'].map((name) => openTab(name, server, refuses));
      for (const tab of tabs) tab.hear(ids.length);
      for (const [turn, one] of steps.entries()) {
        if (one.does === 'other') server.write('other', { id: one.id, patch: { [one.column]: `other ${turn}` } });
        else if (one.does === 'refuse') refusal = 'whole';
        else if (one.does === 'refusePart') refusal = 'part';
        else if ('tab' in one) {
          const tab = tabs[one.tab];
          if (one.does === 'edit') tab?.edit(one.ids, one.column, `mine ${turn}`);
          else if (one.does === 'hear') tab?.hear(one.most);
          else if (one.does === 'undo') tab?.journal.undo();
          else if (one.does === 'redo') tab?.journal.redo();
          else if (one.does === 'tick') tab?.tick();
          else if (one.does === 'fetch') tab?.fetch();
          else if ('at' in one) tab?.wire[one.at % Math.max(1, tab.wire.length)]?.[one.does]();
        }
        await settle();
      }
      for (let goes = true; goes; ) {
        goes = false;
        for (const tab of tabs) {
          const [request] = tab.wire;
          request?.answer();
          const ticked = tab.tick();
          goes = request !== undefined || ticked || tab.hear(1) || goes;
          await settle();
        }
      }
      for (const tab of tabs) {
        expect(tab.overwritten).toEqual([]);
        expect(tab.journal.busy).toBe(false);
        for (const id of ids) expect(tab.store.get('tasks', id)).toEqual(server.rows.get(id));
      }
    }),
    { numRuns: 300 },
  );
});
