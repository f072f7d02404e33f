// Puts what has just been made into the past, as only the owner of the tables can: tasks, their history, comments,
// notifications, and the daily figures that follow from the history.

import pg from 'pg';
import { connectionOptions } from '../database/connection-options.ts';
import type { Course } from './timeline.ts';

export interface Backdated {
  readonly tasks: (Course & { readonly id: string })[];
  readonly comments: { readonly id: string; readonly at: Date }[];
  readonly projects: { readonly id: string; readonly created: Date }[];
}

const tasks = `
  create temp table course on commit drop as
    select * from jsonb_to_recordset($1)
      as c (id uuid, created timestamptz, queued timestamptz, started timestamptz, completed timestamptz)`;

type Argument = 'none' | 'comments' | 'projects' | 'ids';

const steps: readonly (readonly [argument: Argument, text: string])[] = [
  [
    'none',
    `update public.tasks t set created_at = c.created, started_at = c.started, completed_at = c.completed
     from course c where c.id = t.id`,
  ],
  // A move has its moment in the course; anything else happened some time along it.
  [
    'none',
    `update public.task_activity a set created_at = case
       when a.kind = 'created' then c.created
       when a.kind = 'moved' then case a.change #>> '{column_id,to_name}'
         when 'To do' then c.queued when 'In progress' then c.started else c.completed end
       else c.created + (coalesce(c.completed, now()) - c.created) * (0.05 + (hashtext(a.id::text) & 1023) / 1200.0)
     end
     from course c where c.id = a.task_id`,
  ],
  [
    'comments',
    `update public.task_comments t set created_at = c.at, updated_at = c.at
     from jsonb_to_recordset($1) as c (id uuid, at timestamptz) where c.id = t.id`,
  ],
  [
    'none',
    `update public.task_activity a set created_at = t.created_at
     from public.task_comments t where a.kind = 'commented' and a.change ->> 'comment_id' = t.id::text`,
  ],
  [
    'none',
    `update public.task_attachments f set created_at = a.created_at, updated_at = a.created_at
     from public.task_activity a join course c on c.id = a.task_id where a.kind = 'attached' and a.change ->> 'attachment_id' = f.id::text`,
  ],
  [
    'none',
    `update public.notifications n set created_at = a.created_at
     from (select task_id, case kind when 'commented' then 'commented' when 'moved' then 'state_changed' else 'assigned' end as kind, max(created_at) as created_at
             from public.task_activity join course c on c.id = task_id where kind in ('commented', 'assigned', 'moved') group by 1, 2) a
     where n.task_id = a.task_id and (n.kind = a.kind or (n.kind = 'mentioned' and a.kind = 'commented'))`,
  ],
  // Who was added to a project knows it by now; what waited for something knows since a while, too.
  [
    'ids',
    `update public.notifications n set created_at = now() - interval '9 days', read_at = now() - interval '8 days'
     where n.project_id = any ($1) and n.kind in ('added', 'unblocked')`,
  ],
  // What is older than four days is read, but for the two newest of each person: nobody's inbox is empty.
  [
    'none',
    `update public.notifications n set read_at = n.created_at + interval '3 hours'
     from (select id, row_number() over (partition by user_id order by created_at desc) as place
             from public.notifications where task_id in (select id from course)) o
     where n.id = o.id and o.place > 2 and n.created_at < now() - interval '4 days'`,
  ],
  [
    'projects',
    `update public.projects p set created_at = c.created
     from jsonb_to_recordset($1) as c (id uuid, created timestamptz) where c.id = p.id`,
  ],
  // Fields, views and templates are there since the project is.
  [
    'ids',
    `update public.task_activity a set created_at = p.created_at
     from public.projects p where p.id = a.project_id and a.task_id is null and p.id = any ($1)`,
  ],
  [
    'ids',
    `update private.column_kinds k set since = p.created_at from public.projects p where p.id = k.project_id and p.id = any ($1)`,
  ],
  ['ids', 'delete from private.column_flow where project_id = any ($1)'],
  [
    'ids',
    `insert into private.column_flow (project_id, day, column_id, shard, delta)
     select project_id, (created_at at time zone 'utc')::date, column_id::uuid, 0, sum(delta)
       from public.task_activity,
         lateral (values
           (case kind when 'created' then change ->> 'column_id' else change #>> '{column_id,to}' end, 1),
           (case kind when 'moved' then change #>> '{column_id,from}' end, -1)) as step (column_id, delta)
      where project_id = any ($1) and kind in ('created', 'moved') and column_id is not null
      group by 1, 2, 3 having sum(delta) <> 0`,
  ],
  ['ids', 'select private.recount_figures($1)'],
];

export async function backdateHistory(ownerUrl: string, aged: Backdated): Promise<void> {
  const client = new pg.Client(connectionOptions(ownerUrl));
  await client.connect();
  const ids = aged.projects.map(({ id }) => id);
  const values: Readonly<Record<Argument, unknown[]>> = {
    none: [],
    comments: [JSON.stringify(aged.comments)],
    projects: [JSON.stringify(aged.projects)],
    ids: [ids],
  };
  try {
    await client.query('begin');
    await client.query(tasks, [JSON.stringify(aged.tasks)]);
    for (const [argument, text] of steps) await client.query(text, values[argument]);
    await client.query('commit');
  } finally {
    await client.end();
  }
}
