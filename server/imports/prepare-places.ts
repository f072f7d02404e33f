// The columns and labels that an import needs: those of the project that are called so, and new ones for the others.

import type { Transaction } from '../database/types.ts';
import { withLeftovers } from './fit-to-limits.ts';
import type { Project, State } from './neutral.ts';
import { shorten } from './shorten.ts';

export interface Places {
  /** By lower-cased name. */
  readonly columns: ReadonlyMap<string, string>;
  readonly labels: ReadonlyMap<string, string>;
  readonly firstColumn: string;
  readonly doneColumn: string;
}

const longestDescription = 20_000;

interface Found {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
}

export async function preparePlaces(
  tx: Transaction,
  projectId: string,
  importId: string,
  project: Project,
  isNew: boolean,
): Promise<Places> {
  const here = await tx.objects<Found>({
    text: 'select id, name, kind::text from public.workflow_columns where project_id = $1 order by position, id',
    values: [projectId],
  });
  const columns = new Map(here.map((column) => [column.name.toLowerCase(), column]));
  const wanted = statesOf(project);
  // A new project looks like the one it comes from.
  if (isNew && wanted.length > 0) {
    const needed = new Set(wanted.map(({ name }) => name.toLowerCase()));
    const spare = here.filter(({ name }) => !needed.has(name.toLowerCase()));
    await tx.run({
      text: 'delete from public.workflow_columns where project_id = $1 and id in (select jsonb_array_elements_text($2::jsonb)::uuid)',
      values: [projectId, JSON.stringify(spare.map(({ id }) => id))],
    });
    for (const { name } of spare) columns.delete(name.toLowerCase());
  }
  for (const { name, kind } of wanted) {
    if (columns.has(name.toLowerCase())) continue;
    const [made] = await tx.objects<{ id: string }>({
      text: 'insert into public.workflow_columns (project_id, name, kind) values ($1, $2, $3::public.workflow_column_kind) returning id',
      values: [projectId, name, kind],
    });
    if (made === undefined) continue;
    columns.set(name.toLowerCase(), { id: made.id, name, kind });
    await note(tx, importId, 'column', [made.id]);
  }
  if (isNew) {
    await placeAsInFile(tx, projectId, wanted, columns);
    await describe(tx, projectId, project);
  }
  const all = [...columns.values()];
  const first = all.find(({ kind }) => kind === 'todo') ?? all.find(({ kind }) => kind !== 'done') ?? all[0];
  if (first === undefined) throw new Error('the project has no columns');
  return {
    columns: new Map([...columns].map(([name, { id }]) => [name, id])),
    labels: await prepareLabels(tx, projectId, importId, project),
    firstColumn: first.id,
    doneColumn: (all.find(({ kind }) => kind === 'done') ?? first).id,
  };
}

/** Those of the file, and what tasks without one need. */
function statesOf({ states, tasks }: Project): State[] {
  const byName = new Map<string, State>();
  for (const { name, kind } of states) {
    const called = placeName(name);
    if (called !== '' && !byName.has(called.toLowerCase())) byName.set(called.toLowerCase(), { name: called, kind });
  }
  const kinds = new Set([...byName.values()].map(({ kind }) => kind));
  const isAnyWithout = (isDone: boolean): boolean => tasks.some(({ state, done }) => state === null && done === isDone);
  if (!kinds.has('done') && isAnyWithout(true)) byName.set('done', { name: 'Done', kind: 'done' });
  if (![...kinds].some((kind) => kind !== 'done') && isAnyWithout(false))
    byName.set('to do', { name: 'To do', kind: 'todo' });
  return [...byName.values()];
}

async function placeAsInFile(
  tx: Transaction,
  projectId: string,
  wanted: readonly State[],
  columns: ReadonlyMap<string, Found>,
): Promise<void> {
  const order = wanted.flatMap(({ name }, at) => {
    const id = columns.get(name.toLowerCase())?.id;
    return id === undefined ? [] : [{ id, position: at + 1 }];
  });
  await tx.run({
    text: `update public.workflow_columns c set position = g.position
           from jsonb_to_recordset($2::jsonb) as g (id uuid, position float8) where c.project_id = $1 and c.id = g.id`,
    values: [projectId, JSON.stringify(order)],
  });
}

/** What is of no task; where it is too long for that, it was told in the list of problems. */
async function describe(tx: Transaction, projectId: string, project: Project): Promise<void> {
  const words = withLeftovers(project.description ?? '', project.leftovers ?? []);
  if (words.trim() === '') return;
  await tx.run({
    text: "update public.projects set description = $2 where id = $1 and description = ''",
    values: [projectId, shorten(words, longestDescription)],
  });
}

async function prepareLabels(
  tx: Transaction,
  projectId: string,
  importId: string,
  project: Project,
): Promise<Map<string, string>> {
  const here = await tx.objects<{ id: string; name: string }>({
    text: 'select id, name from public.task_labels where project_id = $1',
    values: [projectId],
  });
  const labels = new Map(here.map(({ id, name }) => [name.toLowerCase(), id]));
  const used = new Set(project.tasks.flatMap((task) => task.labels.map(placeName).map((name) => name.toLowerCase())));
  const colors = new Map(
    project.labels.map(({ name, color }) => [placeName(name).toLowerCase(), { name: placeName(name), color }]),
  );
  const missing = [...colors].flatMap(([key, label]) =>
    key !== '' && used.has(key) && !labels.has(key) ? [label] : [],
  );
  const made = await tx.objects<{ id: string; name: string }>({
    text: `insert into public.task_labels (project_id, name, color)
           select $1, g.name, g.color from jsonb_to_recordset($2::jsonb) as g (name text, color text) returning id, name`,
    values: [projectId, JSON.stringify(missing)],
  });
  await note(
    tx,
    importId,
    'label',
    made.map(({ id }) => id),
  );
  for (const { id, name } of made) labels.set(name.toLowerCase(), id);
  return labels;
}

/** Of a column or a label. */
export function placeName(name: string): string {
  return shorten(name.replaceAll(/\s+/g, ' ').trim(), 100);
}

/** Says that the import made these rows. */
export async function note(tx: Transaction, importId: string, kind: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.run({
    text: `insert into private.import_changes (import_id, kind, row_id)
           select $1, $2, id::uuid from jsonb_array_elements_text($3::jsonb) as id on conflict do nothing`,
    values: [importId, kind, JSON.stringify(ids)],
  });
}
