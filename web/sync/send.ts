// Steps become requests. Steps of one kind on one table travel together, in order; the answers come back as row changes.
// Two writes go through procedures because the server must decide them: moving a task and making a project.

import type { Door } from './door.ts';
import { dataOf } from './door.ts';
import type { AnyRow, Rows, TableName } from './rows.ts';
import { primaryKeys } from './rows.ts';
import type { Step, UpdateStep } from './step.ts';
import type { RowChange } from './store.ts';

/** `again`: an earlier try got no answer, so some of it may have arrived already. */
export type Send = (steps: readonly Step[], again?: boolean) => Promise<RowChange[]>;

/** Ids in one address; keeps it well under what proxies accept. */
const idsPerRequest = 80;

/** Columns the server fills and a client may not send. */
const serverColumns: Partial<Record<TableName, readonly string[]>> = {
  tasks: ['number', 'started_at', 'created_by', 'created_at', 'updated_at', 'completed_at'],
  task_comments: ['created_at', 'edited_at', 'author_id'],
  projects: ['created_by', 'created_at', 'updated_at'],
  project_members: ['created_at'],
};

export function sendTo(door: Door): Send {
  return async (steps, again = false) => {
    const changes: RowChange[] = [];
    for (const run of runsOf(steps)) changes.push(...(await sendRun(door, run, again)));
    return changes;
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
  return runs;
}

function together(head: Step, step: Step): boolean {
  if (head.table !== step.table || head.kind !== step.kind) return false;
  if (head.kind === 'update' && step.kind === 'update')
    return !isMove(head) && !isMove(step) && JSON.stringify(head.after) === JSON.stringify(step.after);
  if (head.kind === 'delete') return primaryKeys[head.table].length === 1 || sharesFirstKey(head, step);
  return true;
}

function sharesFirstKey(head: Step, step: Step): boolean {
  if (head.kind === 'update' || step.kind === 'update') return false;
  const column = primaryKeys[head.table][0] as keyof AnyRow;
  return head.row[column] === step.row[column];
}

export function isMove(step: Step): step is UpdateStep<'tasks'> {
  return step.kind === 'update' && step.table === 'tasks' && ('order_rank' in step.after || 'column_id' in step.after);
}

async function sendRun(door: Door, run: readonly Step[], again: boolean): Promise<RowChange[]> {
  const head = run[0];
  if (head === undefined) return [];
  if (isMove(head)) return sendMove(door, head);
  if (head.kind === 'insert') return sendInsert(door, head.table, run, again);
  if (head.kind === 'delete') return sendDelete(door, head.table, run);
  return sendUpdate(door, head, run);
}

async function sendMove(door: Door, step: UpdateStep<'tasks'>): Promise<RowChange[]> {
  const { column_id, order_rank, ...rest } = step.after;
  const row = dataOf(
    await door.rpc('move_task', {
      task_id: step.key,
      column_id,
      ...(step.beside ?? (order_rank === undefined ? {} : { order_rank })),
    }),
  ) as Rows['tasks'] | Rows['tasks'][];
  const moved = Array.isArray(row) ? row[0] : row;
  const changes: RowChange[] = moved ? [{ table: 'tasks', row: moved }] : [];
  const asked = Object.keys(rest).filter((column) => !serverColumns.tasks?.includes(column));
  if (asked.length > 0)
    changes.push(
      ...(await sendUpdate(door, { ...step, after: pick(step.after, asked) as Partial<Rows['tasks']> }, [step])),
    );
  return changes;
}

async function sendInsert(door: Door, table: TableName, run: readonly Step[], again: boolean): Promise<RowChange[]> {
  const rows = run.map((step) => (step.kind === 'insert' ? writable(table, step.row) : {}));
  // A new task goes to the end of its column; the rank we show meanwhile is only ours.
  if (table === 'tasks') for (const row of rows) delete row.order_rank;
  const request = again
    ? door.from(table).upsert(rows, { onConflict: primaryKeys[table].join(), ignoreDuplicates: true })
    : door.from(table).insert(rows);
  return answersOf(table, dataOf(await request.select()));
}

async function sendUpdate(door: Door, head: UpdateStep | Step, run: readonly Step[]): Promise<RowChange[]> {
  if (head.kind !== 'update') return [];
  const patch = writable(head.table, head.after as Partial<AnyRow>);
  if (Object.keys(patch).length === 0) return [];
  const changes: RowChange[] = [];
  const [first, second] = primaryKeys[head.table] as readonly string[];
  if (first === undefined) return [];
  const keys = run.map((step) => (step.kind === 'update' ? step.key : ''));
  if (second !== undefined) {
    for (const key of keys) {
      const [one = '', other = ''] = key.split(' ');
      changes.push(
        ...answersOf(
          head.table,
          dataOf(await door.from(head.table).update(patch).eq(first, one).eq(second, other).select()),
        ),
      );
    }
    return changes;
  }
  for (let at = 0; at < keys.length; at += idsPerRequest) {
    const some = keys.slice(at, at + idsPerRequest);
    changes.push(...answersOf(head.table, dataOf(await door.from(head.table).update(patch).in(first, some).select())));
  }
  return changes;
}

async function sendDelete(door: Door, table: TableName, run: readonly Step[]): Promise<RowChange[]> {
  const [first, second] = primaryKeys[table] as readonly string[];
  if (first === undefined) return [];
  const rows = run.map((step) => (step.kind === 'delete' ? (step.row as unknown as Record<string, string>) : {}));
  for (let at = 0; at < rows.length; at += idsPerRequest) {
    const some = rows.slice(at, at + idsPerRequest);
    const question = door.from(table).delete();
    if (second === undefined) {
      dataOf(
        await question.in(
          first,
          some.map((row) => row[first] ?? ''),
        ),
      );
    } else {
      dataOf(
        await question.eq(first, some[0]?.[first] ?? '').in(
          second,
          some.map((row) => row[second] ?? ''),
        ),
      );
    }
  }
  return [];
}

function writable(table: TableName, row: Partial<AnyRow>): Record<string, unknown> {
  const fixed = serverColumns[table] ?? [];
  return Object.fromEntries(
    Object.entries(row).filter(([column, value]) => !fixed.includes(column) && value !== undefined),
  );
}

function pick(row: object, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([column]) => columns.includes(column)));
}

function answersOf(table: TableName, rows: unknown): RowChange[] {
  return Array.isArray(rows) ? rows.map((row) => ({ table, row }) as RowChange) : [];
}
