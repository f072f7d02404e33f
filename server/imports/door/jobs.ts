// Imports that a person began, as rows: asked and written as that person, so that policies decide whose they are.

import type { Caller, Database, StatementRunner, Transaction } from '../../database/types.ts';
import { note } from '../prepare-places.ts';
import type { ChosenForImport } from './read-choices.ts';

/** Of one person, that wait or run. */
export const mostOpen = 5;
const pieceBytes = 1024 * 1024;

export type JobState = 'ready' | 'waiting' | 'running' | 'done' | 'cancelled' | 'failed' | 'undoing' | 'undone';

export interface Job {
  readonly id: string;
  readonly state: JobState;
  readonly product: string;
  readonly file_name: string;
  readonly project_id: string | null;
  readonly project_name: string | null;
  readonly import_id: string | null;
  readonly is_new: boolean;
  readonly is_cancelled: boolean;
  readonly choices: ChosenForImport;
  readonly failure: string | null;
  readonly result: unknown;
  readonly created_at: string;
  /** Rows written, of all. */
  readonly done: number;
  readonly total: number;
  readonly counts: { readonly made?: number; readonly updated?: number };
  readonly problems: readonly unknown[];
}

const columns = `j.id, j.state, j.product, j.file_name, j.project_id, p.name as project_name, j.import_id, j.is_new, j.is_cancelled, j.choices,
  j.failure, j.result, j.created_at, coalesce(i.done, 0) as done, coalesce(i.total, 0) as total, coalesce(i.counts, '{}') as counts`;
const from = `from private.import_jobs j left join private.imports i on i.id = j.import_id left join public.projects p on p.id = j.project_id`;

export async function jobOf(database: Database, caller: Caller, id: string): Promise<Job | undefined> {
  const [job] = await database.objectsAs<Job>(caller, {
    text: `select ${columns}, coalesce(i.problems, '[]') as problems ${from} where j.id = $1`,
    values: [id],
  });
  return job;
}

/** Newest first; problems are told of one alone. */
export function jobsOf(database: Database, caller: Caller): Promise<Job[]> {
  return database.objectsAs<Job>(caller, {
    text: `select ${columns}, '[]'::jsonb as problems ${from} order by j.created_at desc limit 20`,
    values: [],
  });
}

/** Packed, in pieces, so that no more of it than one is in memory; null where it is gone. */
export async function fileOf(
  database: StatementRunner,
  caller: Caller,
  id: string,
): Promise<AsyncIterable<Buffer> | null> {
  const [row] = await database.objectsAs<{ size: number | null }>(caller, {
    text: 'select octet_length(file) as size from private.import_jobs where id = $1',
    values: [id],
  });
  const size = row?.size ?? null;
  return size === null ? null : pieces(size);

  async function* pieces(size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < size; at += pieceBytes) {
      const [piece] = await database.objectsAs<{ bytes: string | null }>(caller, {
        text: `select encode(substring(file from $2::int for $3::int), 'base64') as bytes from private.import_jobs where id = $1`,
        values: [id, String(at + 1), String(pieceBytes)],
      });
      if (!piece?.bytes) throw new Error('the file of the import is gone');
      yield Buffer.from(piece.bytes, 'base64');
    }
  }
}

export async function addJob(
  database: Database,
  caller: Caller,
  job: {
    readonly file: Buffer;
    readonly fileName: string;
    readonly product: string;
    readonly choices: ChosenForImport;
  },
): Promise<string> {
  // Files that are only looked at do not pile up.
  await database.runAs(caller, {
    text: `delete from private.import_jobs where state = 'ready' and id in (
             select id from private.import_jobs where state = 'ready' order by created_at desc offset 4)`,
    values: [],
  });
  const [made] = await database.objectsAs<{ id: string }>(caller, {
    text: 'insert into private.import_jobs (file, file_name, product, choices) values ($1, $2, $3, $4::jsonb) returning id',
    values: [job.file, job.fileName.slice(0, 500), job.product, JSON.stringify(job.choices)],
  });
  return made?.id ?? '';
}

/** True when it was in one of these states, and is now in the other. */
export async function change(
  database: StatementRunner,
  caller: Caller,
  id: string,
  between: readonly JobState[],
  to: JobState,
  more: Readonly<Record<string, unknown>> = {},
): Promise<boolean> {
  const result = await database.runAs(caller, {
    text: `update private.import_jobs j set state = $3, updated_at = now(),
             result = case when g.new ? 'result' then g.new -> 'result' else j.result end,
             failure = case when g.new ? 'failure' then g.new ->> 'failure' else j.failure end,
             is_cancelled = case when g.new ? 'is_cancelled' then (g.new ->> 'is_cancelled')::boolean else j.is_cancelled end,
             import_id = case when g.new ? 'import_id' then (g.new ->> 'import_id')::uuid else j.import_id end,
             file = case when g.new ? 'is_over' then null else j.file end
           from (select $4::jsonb as new) g
           where j.id = $1 and j.state = any (array(select jsonb_array_elements_text($2::jsonb)))`,
    values: [id, JSON.stringify(between), to, JSON.stringify(more)],
  });
  return result.affected > 0;
}

interface Start {
  readonly projectId: string | null;
  readonly name: string;
  readonly choices: ChosenForImport;
  /** People who become members. */
  readonly joining: ReadonlySet<string>;
}

/** The project that was chosen, or a new one, who joins it, and what was chosen beside; in one transaction, so that none is made twice, and nobody
 * joins where it does not start. */
export function start(
  database: Database,
  caller: Caller,
  id: string,
  { projectId, name, choices, joining }: Start,
): Promise<string | 'too many' | null> {
  return database.transactAs(caller, async (tx) => {
    const [{ open } = { open: 0 }] = await tx.objects<{ open: number }>({
      text: `select count(*)::int as open from private.import_jobs where state in ('waiting', 'running', 'undoing')`,
      values: [],
    });
    if (open >= mostOpen) return 'too many';
    const [ready] = await tx.objects<Pick<Job, 'product' | 'file_name'>>({
      text: `select product, file_name from private.import_jobs where id = $1 and state = 'ready' and file is not null for update`,
      values: [id],
    });
    if (ready === undefined) return null;
    const [made] =
      projectId === null
        ? await tx.objects<{ id: string }>({
            text: 'select id from public.create_project_with_defaults($1)',
            values: [name.slice(0, 200)],
          })
        : [{ id: projectId }];
    const project = made?.id ?? '';
    const importId =
      joining.size === 0
        ? null
        : await addMembers(tx, project, [...joining], { ...ready, ...(choices.from && { product: choices.from }) });
    await tx.run({
      text: `update private.import_jobs set project_id = $2, is_new = $3::boolean, choices = $4::jsonb, import_id = $5, state = 'waiting',
               updated_at = now() where id = $1`,
      values: [id, project, String(projectId === null), JSON.stringify(choices), importId],
    });
    return project;
  });
}

/** As by hand: they are told in their inbox, and seats of a plan count. The import begins here, so that its undo knows whom it brought. */
async function addMembers(
  tx: Transaction,
  projectId: string,
  userIds: readonly string[],
  { product, file_name: fileName }: Pick<Job, 'product' | 'file_name'>,
): Promise<string> {
  const [begun = { id: '' }] = await tx.objects<{ id: string }>({
    text: 'insert into private.imports (project_id, source, file_name, total) values ($1, $2, $3, 0) returning id',
    values: [projectId, product, fileName],
  });
  const added = await tx.objects<{ user_id: string }>({
    text: `insert into public.project_members (project_id, user_id, role)
           select $1, id::uuid, 'editor' from jsonb_array_elements_text($2::jsonb) as id on conflict do nothing returning user_id`,
    values: [projectId, JSON.stringify(userIds)],
  });
  await note(
    tx,
    begun.id,
    'member',
    added.map(({ user_id }) => user_id),
  );
  return begun.id;
}
