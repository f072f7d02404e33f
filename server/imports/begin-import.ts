// Creates the row of an import before anything is written, so that it can be undone however it ends, or resumes one that broke off; and updates its
// progress.

import type { ImportOptions } from './import-options.ts';
import type { Problem } from './neutral.ts';
import { shorten, shortened } from './shorten.ts';

const mostProblems = 2000;

interface Begun {
  readonly id: string;
  /** Of what was written before it broke off. */
  readonly counts: { readonly made?: number; readonly updated?: number };
}

export async function beginImport(
  { database, caller, importId, read, projectId, fileName, onBegin }: ImportOptions,
  total: number,
): Promise<Begun> {
  const [begun] = await (importId
    ? database.objectsAs<Begun>(caller, {
        text: `update private.imports set state = 'running', total = $2, done = 0, updated_at = now() where id = $1 and project_id = $3
               returning id, counts`,
        values: [importId, String(total), projectId],
      })
    : database.objectsAs<Begun>(caller, {
        text: `insert into private.imports (project_id, source, file_name, total) values ($1, $2, $3, $4) returning id, counts`,
        values: [projectId, read.project.source, shorten(fileName, 500), String(total)],
      }));
  const found = begun ?? { id: '', counts: {} };
  await onBegin?.(found.id);
  return found;
}

export async function tellImport(
  { database, caller }: ImportOptions,
  importId: string,
  state: 'running' | 'done' | 'cancelled' | 'failed',
  done: number,
  counts: { readonly made: number; readonly updated: number },
  problems: readonly Problem[],
): Promise<void> {
  const listed = JSON.stringify(shortened(problems.slice(0, mostProblems)));
  await database.runAs(caller, {
    text: `update private.imports set state = $2, done = $3, counts = $4::jsonb, problems = $5::jsonb, updated_at = now() where id = $1`,
    values: [importId, state, String(done), JSON.stringify(counts), listed],
  });
}
