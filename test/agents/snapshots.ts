// Rows of a project as tests compare them: whole, but for columns that the database keeps by itself.

import type { TestApp } from '../helpers/app.ts';

const kept = [
  'updated_at',
  'created_at',
  'version',
  'edited_at',
  'number',
  'started_at',
  'completed_at',
  'order_rank',
  'program',
];
const tables = [
  ...['workflow_columns', 'tasks', 'task_assignees', 'task_labels', 'task_label_links', 'task_checklist_items'],
  ...['task_attachments', 'task_dependencies', 'task_comments', 'comment_reactions', 'comment_resolutions'],
  ...[
    'task_watchers',
    'custom_fields',
    'task_field_values',
    'task_recurrences',
    'saved_views',
    'task_grants',
    'templates',
  ],
];

/** Of a grant it is who accepts. */
const whoNames = 'task_grants.created_by';

/** Rows as text, by the table they are of. */
export type Snapshot = readonly string[];

export async function snapshotOf(app: TestApp, project: string, but: readonly string[] = []): Promise<Snapshot> {
  const rows = await Promise.all(
    tables.map(async (table) => {
      const found = await app.sql<{ row: object }>(
        `select to_jsonb(t) as row from public.${table} t where t.project_id = $1`,
        [project],
      );
      return found.map(({ row }) => textOf(table, row, but));
    }),
  );
  return rows.flat().sort();
}

/** Rows that are there only before, and only after; of a difference, those that it shows. */
export function changeOf(before: Snapshot, after: Snapshot): Readonly<Record<'gone' | 'come', string[]>>;
export function changeOf(
  difference: readonly { table: string; was: object | null; becomes: object | null }[],
): Readonly<Record<'gone' | 'come', string[]>>;
export function changeOf(
  one: Snapshot | readonly { table: string; was: object | null; becomes: object | null }[],
  after?: Snapshot,
): Readonly<Record<'gone' | 'come', string[]>> {
  if (after !== undefined) {
    const [was, becomes] = [new Set(one as Snapshot), new Set(after)];
    return { gone: [...was].filter((row) => !becomes.has(row)), come: [...becomes].filter((row) => !was.has(row)) };
  }
  const rows = one as readonly { table: string; was: object | null; becomes: object | null }[];
  const side = (name: 'was' | 'becomes') =>
    rows.flatMap((row) => (row[name] === null ? [] : [textOf(row.table, row[name], [])])).sort();
  const [gone, come] = [side('was'), side('becomes')];
  return { gone: gone.filter((row) => !come.includes(row)), come: come.filter((row) => !gone.includes(row)) };
}

function textOf(table: string, row: object, but: readonly string[]): string {
  const columns = Object.entries(row).filter(
    ([name]) => !kept.includes(name) && !but.includes(name) && `${table}.${name}` !== whoNames,
  );
  return `${table} ${JSON.stringify(Object.fromEntries(columns.sort()))}`;
}

/** Whole rows, by table and what names them. */
export type Rows = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

export async function rowsOf(app: TestApp, project: string): Promise<Rows> {
  const found = await app.sql<{ name: string; row: Record<string, unknown> }>(
    `${tables.map((table) => `select '${table}' as name, to_jsonb(t) as row from public.${table} t where t.project_id = $1`).join(' union all ')}
     order by 1, 2`,
    [project],
  );
  const named = ({
    id,
    task_id,
    user_id,
    comment_id,
    field_id,
    group_id,
    emoji,
  }: Record<string, unknown>): unknown[] =>
    id !== undefined && comment_id === undefined ? [id] : [task_id, comment_id, user_id, field_id, group_id, emoji];
  return new Map(
    found.map(({ name, row }) => [
      `${name} ${named(row)
        .filter((part) => part != null)
        .join(' ')}`,
      row,
    ]),
  );
}
