// A project as rows: one JSON document, with each table as it is. It is one statement, so all of it is of one moment, and it is written as
// it is read. `server/imports/from/kanbase.ts` reads it. Several projects are a zip of such documents, each of which can be imported.

import { ident, join, raw, sql, statement } from '../database/sql.ts';
import { type ExportOptions, idsOf, reading } from './export-options.ts';
import { listTables } from './project-tables.ts';
import { TextOut } from './text-out.ts';
import { freeName, openZipWriter } from './zip-writer.ts';

const formatName = 'kanbase.projects';

export async function writeJson({ database, caller, projects, out, onProgress, signal }: ExportOptions): Promise<void> {
  const tables = await listTables(database, caller);
  const ids = sql`${idsOf(projects)}::uuid[]`;
  const parts = [
    {
      name: 'projects',
      columns: raw('*'),
      from: sql`public.projects where id = any (${ids}) order by created_at, id`,
    },
    {
      name: 'people',
      columns: raw('id, display_name as name'),
      // In the order of their ids, which says nothing of them.
      from: sql`public.profiles where id in (select m.user_id from public.project_members m where m.project_id = any (${ids})) order by id`,
    },
    ...tables.map(({ name, columns, order }) => ({
      name,
      columns: join(columns.map((column) => ident(column))),
      from: sql`${ident('public', name)} where project_id = any (${ids})
        order by ${join((name === 'tasks' ? ['project_id', 'number'] : order).map((column) => ident(column)))}`,
    })),
  ];
  const [counted] = await database.objectsAs<{ total: number }>(
    caller,
    statement(
      sql`select (${join(
        tables.map(({ name }) => sql`(select count(*) from ${ident('public', name)} where project_id = any (${ids}))`),
        ' + ',
      )})::float8 as total`,
    ),
    reading(signal),
  );
  const total = counted?.total ?? 0;
  const text = new TextOut(out);
  const head = { format: formatName, version: 1, exported_at: new Date().toISOString() };
  text.add(`${JSON.stringify(head).slice(0, -1)},"tables":{`);
  let done = 0;
  let table = -1;
  let isFirst = true;
  /** Tables without a row are there too, empty. */
  const begin = (next: number): void => {
    while (table < next) {
      table++;
      text.add(`${table === 0 ? '' : ']'}${table === 0 ? '' : ','}\n${JSON.stringify(parts[table]?.name)}:[`);
      isFirst = true;
    }
  };
  await database.streamAs(
    caller,
    statement(
      join(
        parts.map(
          ({ columns, from }, at) =>
            sql`select ${raw(String(at))} as at, row_to_json(r)::text as row from (select ${columns} from ${from}) r`,
        ),
        ' union all ',
      ),
    ),
    ([at, row]) => {
      begin(Number(at));
      text.add(`${isFirst ? '' : ','}\n${row}`);
      isFirst = false;
      done++;
    },
    reading(signal),
    async () => {
      await text.rest();
      onProgress(Math.min(done, total), total);
    },
  );
  begin(parts.length - 1);
  text.add(']}}\n');
  await text.flush();
}

export async function writeJsonFolder(options: ExportOptions): Promise<void> {
  const { projects, out, onProgress } = options;
  const zip = openZipWriter(out);
  const taken = new Set<string>();
  for (const [at, project] of projects.entries())
    await zip.write(freeName(taken, `${project.key}.json`), new Date(), (entry) =>
      writeJson({
        ...options,
        projects: [project],
        out: entry,
        // Each counts the same, whatever is in it.
        onProgress: (done, total) =>
          onProgress(Math.round(1000 * (at + done / Math.max(1, total))), 1000 * projects.length),
      }),
    );
  await zip.end();
}
