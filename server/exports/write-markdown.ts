// A folder as a zip: for each project a page with its board, a page a task, and their files. Each page is written when it is read, and each file
// when its turn comes. What the list of the zip says of each page stays in memory to its end.

import { figures } from '../../contract/views.ts';
import { type ExportedProject, type ExportOptions, type ReadFile, reading } from './export-options.ts';
import { type FieldColumns, fieldColumns } from './field-columns.ts';
import { addressOf, fileName, type PageFile, type PageTask, pageName, writePage } from './task-page.ts';
import { type Add, freeName, openZipWriter } from './zip-writer.ts';

export async function writeMarkdown(options: ExportOptions): Promise<void> {
  const { projects, out, database, caller, signal, onProgress } = options;
  const zip = openZipWriter(out);
  const [counted] = await database.objectsAs<{ total: number }>(
    caller,
    {
      text: 'select count(*)::float8 as total from public.tasks where project_id = any ($1::uuid[])',
      values: [`{${projects.map(({ id }) => id).join(',')}}`],
    },
    reading(signal),
  );
  let done = 0;
  const folders = new Set<string>();
  for (const project of projects) {
    const folder = freeName(folders, `${fileName(project.name).slice(0, 80) || 'Project'} (${project.key})`);
    await writeProject(project, `${folder}/`, options, zip.add, () =>
      onProgress(++done, Math.max(done, counted?.total ?? 0)),
    );
  }
  await zip.end();
}

async function writeProject(
  project: ExportedProject,
  folder: string,
  options: ExportOptions,
  add: Add,
  onTask: () => void,
): Promise<void> {
  const { database, caller, signal } = options;
  const fields = await fieldColumns(database, caller, `{${project.id}}`);
  const now = new Date();
  const states = new Map<string, string[]>();
  await database.streamAs(
    caller,
    { text: statementText, values: [project.id] },
    async ([row]) => {
      const task = JSON.parse(String(row)) as PageTask;
      const name = pageName(project.key, task);
      const places = await addFiles(task, project, folder, options, add);
      const page = writePage(task, { key: project.key, fields: inWords(fields, task), places });
      await add(`${folder}${name}`, Buffer.from(page), new Date(task.created_at), false);
      if (task.archived_at === null) {
        const lines = states.get(task.state) ?? [];
        // A board of any size has a page of that size: what is on the last one is in its files.
        if (lines.length < mostOnBoard)
          lines.push(`- [${project.key}-${task.number}](<${name}>) ${task.title.replaceAll(/\s+/g, ' ')}`);
        states.set(task.state, lines);
      }
      onTask();
    },
    reading(signal),
  );
  const columns = await database.objectsAs<{ name: string }>(caller, {
    text: 'select name from public.workflow_columns where project_id = $1 order by position, id',
    values: [project.id],
  });
  const [about] = await database.objectsAs<{ description: string }>(caller, {
    text: 'select description from public.projects where id = $1',
    values: [project.id],
  });
  const board = columns.map(({ name }) => `## ${name}\n\n${(states.get(name) ?? ['Nothing.']).join('\n')}`);
  const page = [`# ${project.name}`, about?.description ?? '', ...board].filter((part) => part !== '').join('\n\n');
  await add(`${folder}README.md`, Buffer.from(`${page}\n`), now, false);
}

const mostOnBoard = 2000;

/** Beside the pages, under files/<task>/; gives back where each is, as a page names it. */
async function addFiles(
  { number, attachments }: PageTask,
  { key }: ExportedProject,
  folder: string,
  { readFile }: ExportOptions,
  add: Add,
): Promise<ReadonlyMap<string, string>> {
  const places = new Map<string, string>();
  const taken = new Set<string>();
  for (const file of attachments) {
    const read = await open(file, readFile);
    if (read === null) continue;
    const place = `files/${key}-${number}/${freeName(taken, `${fileName(file.name) || 'file'}${read.ending}`)}`;
    await add(`${folder}${place}`, read.bytes, new Date(file.updated_at ?? 0), true);
    places.set(file.id, addressOf(place));
  }
  return places;
}

async function open({ version, encoding }: PageFile, readFile: ExportOptions['readFile']): Promise<ReadFile | null> {
  if (version === null) return null;
  // What is gone from the store is told on the page; it takes nothing else with it.
  return readFile(version, encoding).catch(() => null);
}

function inWords(fields: FieldColumns, { fields: values }: PageTask): [string, string][] {
  const cells = fields.cells(values === null ? null : JSON.stringify(values));
  return fields.names.flatMap((name, at): [string, string][] => {
    const cell = cells[at];
    return cell === null || cell === undefined ? [] : [[name, cell]];
  });
}

const numbered = (alias: string): string => `json_build_object('number', ${alias}.number, 'title', ${alias}.title)`;

const statementText = `
  select json_build_object('id', t.id, 'project_id', t.project_id, 'number', t.number, 'title', t.title, 'description', t.description, 'state', c.name,
    'priority', t.priority, 'start_date', t.start_date, 'due_date', t.due_date, ${figures.map((name) => `'${name}', t.${name}`).join(', ')}, 'created_at', t.created_at,
    'completed_at', t.completed_at, 'archived_at', t.archived_at,
    'assignees', (select coalesce(json_agg(n.display_name order by a.created_at, a.user_id), '[]') from public.task_assignees a
      join public.profiles n on n.id = a.user_id where a.project_id = t.project_id and a.task_id = t.id),
    'labels', (select coalesce(json_agg(l.name order by l.name), '[]') from public.task_label_links k
      join public.task_labels l on l.project_id = k.project_id and l.id = k.label_id where k.project_id = t.project_id and k.task_id = t.id),
    'parent', (select ${numbered('o')} from public.tasks o where o.project_id = t.project_id and o.id = t.parent_id),
    'subtasks', (select coalesce(json_agg(${numbered('o')} order by o.subtask_position, o.number), '[]') from public.tasks o
      where o.project_id = t.project_id and o.parent_id = t.id),
    'waits_for', (select coalesce(json_agg(${numbered('o')} order by o.number), '[]') from public.task_dependencies d
      join public.tasks o on o.project_id = d.project_id and o.id = d.predecessor_id where d.project_id = t.project_id and d.successor_id = t.id),
    'repeats', (select r.rule from public.task_recurrences r where r.project_id = t.project_id and r.task_id = t.id),
    'fields', (select json_object_agg(v.field_id, v.value) from public.task_field_values v where v.project_id = t.project_id and v.task_id = t.id),
    'checklist', (select coalesce(json_agg(json_build_object('title', i.title, 'is_done', i.is_done) order by i.position, i.id), '[]')
      from public.task_checklist_items i where i.project_id = t.project_id and i.task_id = t.id),
    'comments', (select coalesce(json_agg(json_build_object('author', n.display_name, 'at', m.created_at, 'body', m.body) order by m.created_at, m.id), '[]')
      from public.task_comments m left join public.profiles n on n.id = m.author_id where m.project_id = t.project_id and m.task_id = t.id),
    'attachments', (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'version', o.version, 'encoding', o.metadata ->> 'contentEncoding', 'size', o.metadata -> 'size',
        'updated_at', o.updated_at) order by f.created_at, f.id), '[]')
      from public.task_attachments f left join storage.objects o on o.bucket_id = 'attachments' and o.name = f.object_path
      where f.project_id = t.project_id and f.task_id = t.id))::text
  from public.tasks t
  join public.workflow_columns c on c.project_id = t.project_id and c.id = t.column_id
  where t.project_id = $1
  order by t.number`;
