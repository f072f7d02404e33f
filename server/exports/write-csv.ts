// One task a row, with the words a spreadsheet needs instead of ids: names of people, labels and states, keys of tasks, a column for each
// field. Cells that a spreadsheet would run are disarmed (`contract/csv-row.ts`).

import { csvRow } from '../../contract/csv-row.ts';
import { type Figure, figures } from '../../contract/views.ts';
import { type ExportOptions, idsOf, reading } from './export-options.ts';
import { fieldColumns } from './field-columns.ts';
import { TextOut } from './text-out.ts';

const figureHeads: Readonly<Record<Figure, string>> = { estimate: 'Estimate' };

const columns = [
  'Project',
  'ID',
  'Title',
  'Description',
  'Status',
  'Priority',
  'Assignees',
  'Labels',
  'Start date',
  'Due date',
  ...figures.map((name) => figureHeads[name]),
  'Parent',
  'Blocked by',
  'Checklist',
  'Repeats',
  'Created',
  'Completed at',
  'Archived at',
] as const;

export async function writeCsv(options: ExportOptions): Promise<void> {
  const { database, caller, projects, out, onProgress, signal } = options;
  const ids = idsOf(projects);
  const [counted] = await database.objectsAs<{ total: number }>(
    caller,
    { text: 'select count(*)::float8 as total from public.tasks where project_id = any ($1::uuid[])', values: [ids] },
    reading(signal),
  );
  const total = counted?.total ?? 0;
  const fields = await fieldColumns(database, caller, ids);
  const text = new TextOut(out);
  // The mark at the beginning is what spreadsheets tell UTF-8 by.
  text.add(`\ufeff${csvRow([...columns, ...fields.names])}\r\n`);
  let done = 0;
  await database.streamAs(
    caller,
    { text: statementText, values: [ids] },
    (row) => {
      const cells = row.map((cell) => (cell === null ? null : cell.toString()));
      const values = cells.pop() ?? null;
      text.add(`${csvRow([...cells, ...fields.cells(values)])}\r\n`);
      done++;
    },
    reading(signal),
    async () => {
      await text.rest();
      onProgress(Math.min(done, total), total);
    },
  );
  await text.flush();
}

/** A moment as everything reads it. */
const moment = (column: string): string => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

const statementText = `
  select p.name, p.key || '-' || t.number, t.title, t.description, c.name, t.priority::text,
    (select string_agg(n.display_name, '; ' order by a.created_at, a.user_id) from public.task_assignees a
      join public.profiles n on n.id = a.user_id where a.project_id = t.project_id and a.task_id = t.id),
    (select string_agg(l.name, '; ' order by l.name) from public.task_label_links k
      join public.task_labels l on l.project_id = k.project_id and l.id = k.label_id where k.project_id = t.project_id and k.task_id = t.id),
    t.start_date::text, t.due_date::text, ${figures.map((name) => `t.${name}::text`).join(', ')},
    (select p.key || '-' || o.number from public.tasks o where o.project_id = t.project_id and o.id = t.parent_id),
    (select string_agg(p.key || '-' || o.number, '; ' order by o.number) from public.task_dependencies d
      join public.tasks o on o.project_id = d.project_id and o.id = d.predecessor_id where d.project_id = t.project_id and d.successor_id = t.id),
    (select string_agg(case when i.is_done then '[x] ' else '[ ] ' end || i.title, chr(10) order by i.position, i.id)
      from public.task_checklist_items i where i.project_id = t.project_id and i.task_id = t.id),
    (select r.rule from public.task_recurrences r where r.project_id = t.project_id and r.task_id = t.id),
    ${moment('t.created_at')}, ${moment('t.completed_at')}, ${moment('t.archived_at')},
    (select jsonb_object_agg(v.field_id, v.value)::text from public.task_field_values v where v.project_id = t.project_id and v.task_id = t.id)
  from public.tasks t
  join public.projects p on p.id = t.project_id
  join public.workflow_columns c on c.project_id = t.project_id and c.id = t.column_id
  where t.project_id = any ($1::uuid[])
  order by p.created_at, p.id, t.number`;
