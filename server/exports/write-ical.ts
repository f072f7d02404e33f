// Writes tasks with a day as all-day events of one calendar, to be imported once. A calendar to subscribe to is a feed (`feeds/`).

import { type ExportOptions, idsOf, reading } from './export-options.ts';
import { TextOut } from './text-out.ts';
import { type CalendarTask, calendarEnd, calendarEvent, calendarHead } from './write-calendar.ts';

const which = `from public.tasks t join public.projects p on p.id = t.project_id
  where t.project_id = any ($1::uuid[]) and (t.start_date is not null or t.due_date is not null) and t.archived_at is null`;

export async function writeIcal(options: ExportOptions): Promise<void> {
  const { database, caller, projects, out, siteUrl, onProgress, signal } = options;
  const ids = idsOf(projects);
  const [counted] = await database.objectsAs<{ total: number }>(
    caller,
    { text: `select count(*)::float8 as total ${which}`, values: [ids] },
    reading(signal),
  );
  const total = counted?.total ?? 0;
  const text = new TextOut(out);
  text.add(calendarHead(projects.length === 1 ? (projects[0]?.name ?? '') : 'Kanbase'));
  let done = 0;
  await database.streamAs(
    caller,
    {
      text: `select json_build_object('id', t.id, 'number', t.number, 'title', t.title, 'start_date', t.start_date, 'due_date', t.due_date,
          'completed_at', t.completed_at, 'created_at', t.created_at, 'updated_at', t.updated_at,
          'project', json_build_object('id', p.id, 'key', p.key, 'name', p.name))::text
        ${which} order by coalesce(t.start_date, t.due_date), t.id`,
      values: [ids],
    },
    ([task]) => {
      text.add(calendarEvent(JSON.parse(String(task)) as CalendarTask, siteUrl));
      done++;
    },
    reading(signal),
    async () => {
      await text.rest();
      onProgress(Math.min(done, total), total);
    },
  );
  text.add(calendarEnd);
  await text.flush();
}
