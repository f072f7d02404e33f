// Writes an import into a project with the rights of the person who imports: a thousand rows a transaction, so that a large import delays nobody, can
// be stopped between two of them, and resumes there.

import { PostgresError } from '../database/types.ts';
import { attachFiles } from './attach-files.ts';
import { beginImport, tellImport } from './begin-import.ts';
import type { Imported, ImportOptions } from './import-options.ts';
import { importSettings } from './import-settings.ts';
import { invitePeople } from './invite-people.ts';
import type { Problem, Task } from './neutral.ts';
import { note, preparePlaces } from './prepare-places.ts';
import { shorten, shortened } from './shorten.ts';
import { type Writing, writeTasks } from './write-tasks.ts';
import { writeWhole } from './write-whole.ts';

const rowsAtOnce = 1000;

export async function writeImport(options: ImportOptions): Promise<Imported> {
  const { database, caller, projectId, read, signal } = options;
  const { project } = read;
  if (options.isNew && project.whole !== undefined) return writeWhole(options, project.whole);
  const total = project.tasks.reduce((rows, task) => rows + rowsOf(task), 0);
  const { id: importId, counts: before } = await beginImport(options, total);
  const places = await database.transactAs(
    caller,
    (tx) => preparePlaces(tx, projectId, importId, project, options.isNew),
    importSettings,
  );
  const problems: Problem[] = [...read.problems];
  await invitePeople(options, importId, problems);
  const writing: Writing = {
    projectId,
    importId,
    userId: options.userId,
    project,
    people: new Map(project.people.map((person) => [person.key, person])),
    places,
    matched: options.matched,
    invited: options.invited ?? new Map(),
    ids: new Map(),
    touched: new Set(),
    problems,
    keepDates: options.keepDates ?? true,
  };
  const counts = { made: before.made ?? 0, updated: before.updated ?? 0 };
  let done = 0;
  /** Tasks that were looked at and not refused. */
  let seen = 0;
  const end = (state: 'done' | 'cancelled' | 'failed') => tellImport(options, importId, state, done, counts, problems);
  try {
    for (const batch of batches(project.tasks)) {
      if (signal?.aborted) break;
      await attempt(batch);
      await attachFiles(options, importId, filesOf(batch), problems);
      done += batch.reduce((rows, task) => rows + rowsOf(task), 0);
      await database.runAs(caller, {
        text: 'update private.imports set done = $2, counts = $3::jsonb, updated_at = now() where id = $1',
        values: [importId, String(done), JSON.stringify(counts)],
      });
      options.onProgress?.(done, total);
    }
    if (!signal?.aborted) await writeDependencies(options, writing, problems);
  } catch (error) {
    await end('failed').catch(() => undefined);
    throw error;
  }
  const state = signal?.aborted ? 'cancelled' : 'done';
  await end(state);
  const unchanged = Math.max(0, seen - counts.made - counts.updated);
  return { id: importId, state, ...counts, unchanged, problems: shortened(problems) };

  function filesOf(tasks: readonly Task[]) {
    return tasks.flatMap((task) => {
      const taskId = writing.touched.has(task.origin) ? writing.ids.get(task.origin) : undefined;
      return taskId === undefined ? [] : [{ task, taskId }];
    });
  }

  /** What the database refuses among a thousand is found by halves, told, and the rest is kept. */
  async function attempt(tasks: readonly Task[]): Promise<void> {
    try {
      const { made, updated } = await database.transactAs(
        caller,
        (tx) => writeTasks(tx, tasks, writing),
        importSettings,
      );
      counts.made += made;
      counts.updated += updated;
      seen += tasks.length;
    } catch (error) {
      // Rights that ended meanwhile, a full disk or a server that stops are no fault of a row.
      if (!(error instanceof PostgresError) || /^(42501|08|53|57)/.test(error.sqlstate)) throw error;
      const [only] = tasks;
      if (tasks.length > 1) {
        const half = Math.ceil(tasks.length / 2);
        await attempt(tasks.slice(0, half));
        await attempt(tasks.slice(half));
      } else if (only !== undefined) {
        writing.ids.delete(only.origin);
        problems.push({
          kind: 'refused',
          line: only.line,
          about: `${shorten(only.title, 100)}: ${error.message}`,
        });
      }
    }
  }
}

const rowsOf = (task: Task): number =>
  1 +
  task.labels.length +
  task.assignees.length +
  task.checklist.length +
  task.comments.length +
  task.attachments.length;

function* batches(tasks: Iterable<Task>): Generator<Task[]> {
  let batch: Task[] = [];
  let rows = 0;
  for (const task of tasks) {
    if (batch.length > 0 && rows + rowsOf(task) > rowsAtOnce) {
      yield batch;
      batch = [];
      rows = 0;
    }
    batch.push(task);
    rows += rowsOf(task);
  }
  if (batch.length > 0) yield batch;
}

/** Last, when both ends are there. */
async function writeDependencies(
  { database, caller, projectId, signal }: ImportOptions,
  { project, touched, ids, importId }: Writing,
  problems: Problem[],
): Promise<void> {
  const all = project.tasks.flatMap((task) =>
    touched.has(task.origin)
      ? task.waitsFor.flatMap((name) => {
          const [before, after] = [ids.get(name), ids.get(task.origin)];
          return before === undefined || after === undefined ? [] : [{ before, after, task }];
        })
      : [],
  );
  for (let at = 0; at < all.length && !signal?.aborted; at += rowsAtOnce) await attempt(all.slice(at, at + rowsAtOnce));

  async function attempt(some: readonly (typeof all)[number][]): Promise<void> {
    try {
      await database.transactAs(
        caller,
        async (tx) => {
          const made = await tx.objects<{ id: string }>({
            text: `insert into public.task_dependencies (project_id, predecessor_id, successor_id)
                   select $1::uuid, g.before, g.after from jsonb_to_recordset($2::jsonb) as g (before uuid, after uuid)
                   on conflict do nothing returning id`,
            values: [projectId, JSON.stringify(some.map(({ before, after }) => ({ before, after })))],
          });
          await note(
            tx,
            importId,
            'dependency',
            made.map(({ id }) => id),
          );
        },
        importSettings,
      );
    } catch (error) {
      if (!(error instanceof PostgresError) || /^(42501|08|53|57)/.test(error.sqlstate)) throw error;
      const half = Math.ceil(some.length / 2);
      if (some.length > 1) {
        await attempt(some.slice(0, half));
        await attempt(some.slice(half));
      } else
        for (const { task } of some)
          problems.push({
            kind: 'refused',
            line: task.line,
            about: `${shorten(task.title, 100)}: ${error.message}`,
          });
    }
  }
}
