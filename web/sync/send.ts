// Steps become requests. Steps of one kind on one table travel together, in order; the answers come back as row changes.
// Two writes go through procedures because the server must decide them: moving a task and making a project.

import type { Door } from './door.ts';
import { dataOf, Refusal } from './door.ts';
import type { AnyRow, Rows, TableName } from './rows.ts';
import { keyOf, primaryKeys } from './rows.ts';
import type { Step, UpdateStep } from './step.ts';
import { stepKey } from './step.ts';
import type { RowChange } from './store.ts';

/** What is sent twice arrives once: an answer may be lost, a page closed, and the same steps are then sent again. */
export type Send = (steps: readonly Step[]) => Promise<RowChange[]>;

/** Some of the steps were refused; the others have arrived. */
export class PartRefusal extends Error {
  constructor(
    readonly reason: Error,
    readonly refused: readonly Step[],
    /** What the server holds now of those that arrived. */
    readonly rows: readonly RowChange[],
  ) {
    super(reason.message);
    this.name = 'PartRefusal';
  }
}

/** Ids in one address; keeps it well under what proxies accept. */
const idsPerRequest = 80;
const rowsPerRequest = 500;

/** Columns the server fills and a client may not send. */
const serverColumns: Partial<Record<TableName, readonly string[]>> = {
  tasks: ['number', 'started_at', 'created_by', 'created_at', 'updated_at', 'completed_at'],
  task_comments: ['created_at', 'edited_at', 'author_id'],
  projects: ['created_by', 'created_at', 'updated_at'],
  project_members: ['created_at'],
};

export function sendTo(door: Door): Send {
  return async (steps) => {
    const rows: RowChange[] = [];
    const refused: Step[] = [];
    let reason: Error | null = null;
    const waiting = runsOf(steps);
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      try {
        rows.push(...(await sendRun(door, run)));
      } catch (refusal) {
        if (!(refusal instanceof Refusal) || refusal.passing) throw refusal;
        // One row's fault is not the others': they are sent one by one. What a role does not allow it allows for none.
        if (run.length > 1 && refusal.status !== 403) waiting.unshift(...run.map((step) => [step]));
        else {
          refused.push(...run);
          reason ??= refusal;
        }
      }
    }
    if (reason === null) return rows;
    throw refused.length === steps.length ? reason : new PartRefusal(reason, refused, rows);
  };
}

/** Neighbouring steps that one request can carry. */
export function runsOf(steps: readonly Step[]): Step[][] {
  const runs: Step[][] = [];
  for (const step of steps) {
    const run = runs.at(-1);
    const head = run?.[0];
    if (run && head && together(head, step)) run.push(step);
    else runs.push([step]);
  }
  return runs.flatMap(portionsOf);
}

function together(head: Step, step: Step): boolean {
  if (head.table !== step.table || head.kind !== step.kind) return false;
  if (head.kind === 'update' && step.kind === 'update')
    return !isMove(head) && !isMove(step) && JSON.stringify(head.after) === JSON.stringify(step.after);
  return true;
}

export function isMove(step: Step): step is UpdateStep<'tasks'> {
  return step.kind === 'update' && step.table === 'tasks' && ('order_rank' in step.after || 'column_id' in step.after);
}

async function sendRun(door: Door, run: readonly Step[]): Promise<RowChange[]> {
  const head = run[0];
  if (head === undefined) return [];
  if (isMove(head)) return sendMove(door, head);
  if (head.kind === 'insert') return sendInsert(door, head.table, run);
  if (head.kind === 'delete') return sendDelete(door, head.table, run);
  return sendUpdate(door, head, run);
}

async function sendMove(door: Door, step: UpdateStep<'tasks'>): Promise<RowChange[]> {
  const { column_id, order_rank, ...rest } = step.after;
  const rank = order_rank === undefined ? {} : { order_rank };
  const move = async (place: object): Promise<Rows['tasks'] | Rows['tasks'][]> =>
    dataOf(await door.rpc('move_task', { task_id: step.key, column_id, ...place }));
  const { beside = rank } = step;
  const row = await move(beside).catch((refusal: unknown) => {
    // Its neighbour has left or is gone: then the place as it was shown.
    const lost = refusal instanceof Refusal && (refusal.code === 'KB004' || refusal.status === 404);
    if (lost && Object.keys(beside).length > 0 && beside !== rank) return move(rank);
    throw refusal;
  });
  const moved = Array.isArray(row) ? row[0] : row;
  const changes: RowChange[] = moved ? [{ table: 'tasks', row: moved }] : [];
  const asked = Object.keys(rest).filter((column) => !serverColumns.tasks?.includes(column));
  if (asked.length > 0)
    changes.push(
      ...(await sendUpdate(door, { ...step, after: pick(step.after, asked) as Partial<Rows['tasks']> }, [step])),
    );
  return changes;
}

async function sendInsert(door: Door, table: TableName, run: readonly Step[]): Promise<RowChange[]> {
  const rows = run.map((step) => (step.kind === 'insert' ? writable(table, step.row) : {}));
  // A new task goes to the end of its column; the rank we show meanwhile is only ours.
  if (table === 'tasks') for (const row of rows) delete row.order_rank;
  const request = door.from(table).upsert(rows, { ignoreDuplicates: true });
  return answersOf(table, dataOf(await request.select()));
}

async function sendUpdate(door: Door, head: UpdateStep | Step, run: readonly Step[]): Promise<RowChange[]> {
  if (head.kind !== 'update') return [];
  const patch = writable(head.table, head.after as Partial<AnyRow>);
  if (Object.keys(patch).length === 0) return [];
  const keys = run.map(stepKey);
  const rows = dataOf(await named(door.from(head.table).update(patch), head.table, keys).select());
  const answered = answersOf(head.table, rows);
  await explainMissing(door, head.table, keys, answered, 'changed');
  return answered;
}

async function sendDelete(door: Door, table: TableName, run: readonly Step[]): Promise<RowChange[]> {
  const keys = run.map(stepKey);
  const rows = dataOf(await named(door.from(table).delete(), table, keys).select(primaryKeys[table].join()));
  await explainMissing(door, table, keys, answersOf(table, rows), 'deleted');
  return keys.map((gone) => ({ table, gone }));
}

/** What one request can carry: so many rows, and of a table with two key columns only those that share the first. */
function portionsOf(run: readonly Step[]): Step[][] {
  const heaps = new Map<string, Step[]>();
  for (const step of run) {
    const isNamed = step.kind !== 'insert' && primaryKeys[step.table].length > 1;
    const [first = ''] = isNamed ? stepKey(step).split(' ') : [];
    const heap = heaps.get(first);
    if (heap) heap.push(step);
    else heaps.set(first, [step]);
  }
  const most = run[0]?.kind === 'insert' ? rowsPerRequest : idsPerRequest;
  return [...heaps.values()].flatMap((heap) =>
    Array.from({ length: Math.ceil(heap.length / most) }, (_, at) => heap.slice(at * most, (at + 1) * most)),
  );
}

interface Nameable {
  eq(column: string, value: string): Nameable;
  in(column: string, values: readonly string[]): Nameable;
}

function named<Q>(question: Q, table: TableName, keys: readonly string[]): Q {
  const [first = '', second] = primaryKeys[table] as readonly string[];
  // The client's own types grow with every call; here only these two matter.
  const asked = question as unknown as Nameable;
  const narrowed =
    second === undefined
      ? asked.in(first, keys)
      : asked.eq(first, keys[0]?.split(' ')[0] ?? '').in(
          second,
          keys.map((key) => key.split(' ')[1] ?? ''),
        );
  return narrowed as unknown as Q;
}

/**
 * Rows that policies hide from a write are passed over without a word. A row that was not written is either gone, which is
 * what a deletion wanted, or it is not ours to write: that is told.
 */
async function explainMissing(
  door: Door,
  table: TableName,
  keys: readonly string[],
  answered: readonly RowChange[],
  what: 'changed' | 'deleted',
): Promise<void> {
  const there = new Set(answered.map((change) => ('row' in change ? keyOf(table, change.row as Partial<AnyRow>) : '')));
  const missing = keys.filter((key) => !there.has(key));
  if (missing.length === 0) return;
  const left = dataOf(await named(door.from(table).select(primaryKeys[table].join()), table, missing));
  if (Array.isArray(left) && left.length > 0) throw new Refusal(`This may not be ${what} by you`, '42501', 403);
  if (what === 'changed') throw new Refusal('It is gone', 'PGRST116', 404);
}

function writable(table: TableName, row: Partial<AnyRow>): Record<string, unknown> {
  const fixed = serverColumns[table] ?? [];
  return Object.fromEntries(
    Object.entries(row)
      .filter(([column, value]) => !fixed.includes(column) && value !== undefined)
      // Half of an emoji, which a field may be left with, is no text.
      .map(([column, value]) => [column, typeof value === 'string' ? value.replace(/\p{Cs}/gu, '') : value]),
  );
}

function pick(row: object, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([column]) => columns.includes(column)));
}

function answersOf(table: TableName, rows: unknown): RowChange[] {
  return Array.isArray(rows) ? rows.map((row) => ({ table, row }) as RowChange) : [];
}
