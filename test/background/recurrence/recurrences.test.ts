// Tasks that come again, by the job of the server on a database whose clock stands where the rows say: a day "has come" by setting next_at.

import { Temporal } from 'temporal-polyfill';
import { beforeAll, describe, expect, it } from 'vitest';
import { startRecurrences } from '../../../server/background/recurrence/start-recurrences.ts';
import { unreachable } from '../../../server/database/errors.ts';
import type { Database } from '../../../server/database/types.ts';
import { makeAgent } from '../../agents/agents.ts';
import { startApp, type TestUser } from '../../helpers/app.ts';
import { forSuite } from '../../helpers/for-suite.ts';
import { addMember, addRow, addTask, makeProject } from '../../sql/board.ts';
import { referenceDays } from './reference-days.ts';

let ada: TestUser;
let project: string;
let columns: Awaited<ReturnType<typeof makeProject>>['columns'];

const app = forSuite(startApp);
beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada' });
  ({ project, columns } = await makeProject(app, ada, 'Engine'));
});

interface Series {
  readonly id: string;
  readonly task_id: string;
  readonly next_on: string | null;
  readonly next_at: string | null;
  readonly is_over: boolean;
  readonly made: number;
}

async function withJob<T>(
  work: (job: Awaited<ReturnType<typeof startRecurrences>>) => Promise<T>,
  database: Database = app.services.database,
): Promise<T> {
  const job = await startRecurrences({ ...app.services, database });
  try {
    await job.settle();
    return await work(job);
  } finally {
    await job.stop();
  }
}

async function seriesOf(id: string): Promise<Series> {
  const { data } = await ada.client
    .from('task_recurrences')
    .select('id, task_id, next_on, next_at, is_over, made')
    .eq('id', id)
    .single();
  return data as Series;
}

/** The next day has come. */
const come = (id: string) =>
  app.sql(
    "begin; set local kanbase.recurring = 'on'; update task_recurrences set next_at = now() - interval '1 second' where id = '" +
      id +
      "'; commit",
  );

const titled = async (title: string) => {
  const { data } = await ada.client
    .from('tasks')
    .select('id, due_date, start_date, column_id')
    .eq('title', title)
    .order('number');
  return data ?? [];
};

const repeat = (task: string, values: Record<string, unknown>) =>
  addRow(app, ada, 'task_recurrences', { task_id: task, ...values });

describe('assigned to an agent', () => {
  it('each next task opens a session of it, for who set up the series', async () => {
    const { project } = await makeProject(app, ada, 'Digests');
    const bea = await app.createUser({ name: 'Bea' });
    await addMember(app, project, bea, 'editor');
    const agent = await makeAgent(app, ada, project);
    const sessionsAt = async (of: string) =>
      (await ada.client.from('agent_sessions').select('agent_id, responsible_id, state, mode').eq('task_id', of)).data;
    const series = async (client: TestUser, copies: string): Promise<string> => {
      const of = await addTask(app, ada, { project_id: project, title: copies, due_date: '2099-11-24' });
      await addRow(app, ada, 'task_assignees', { task_id: of, user_id: agent.id });
      const rule = { project_id: project, task_id: of, rule: 'FREQ=WEEKLY', time_zone: 'UTC', copies };
      return addRow(app, client, 'task_recurrences', rule);
    };
    const copied = await series(bea, '{assignees}');
    const alone = await series(bea, '{labels}');
    await withJob(async (job) => {
      await come(copied);
      await come(alone);
      await job.settle();
    });
    const [next, other] = await Promise.all([seriesOf(copied), seriesOf(alone)]);
    expect([next.made, other.made]).toEqual([1, 1]);
    expect(await sessionsAt(next.task_id)).toEqual([
      { agent_id: agent.id, responsible_id: bea.id, state: 'pending', mode: 'write' },
    ]);
    expect(await sessionsAt(other.task_id)).toEqual([]);
    expect(
      (await agent.client.rpc('agent_inbox')).data.sessions.map((one: { task_id: string }) => one.task_id),
    ).toContain(next.task_id);
  });
});

describe('on a calendar', () => {
  it('the next task comes on its day, with all that was asked for, and says where it came from', async () => {
    const task = await addTask(app, ada, {
      project_id: project,
      title: 'Report',
      start_date: '2099-11-20',
      due_date: '2099-11-24',
      estimate: 3,
      priority: 'p0',
      column_id: columns.done,
    });
    const label = await addRow(app, ada, 'task_labels', { project_id: project, name: 'office' });
    await addRow(app, ada, 'task_label_links', { task_id: task, label_id: label });
    await addRow(app, ada, 'task_assignees', { task_id: task, user_id: ada.id });
    await addRow(app, ada, 'task_checklist_items', { task_id: task, title: 'Figures', is_done: true });
    const field = await addRow(app, ada, 'custom_fields', { project_id: project, name: 'Cost', kind: 'number' });
    await ada.client.from('task_field_values').insert({ task_id: task, field_id: field, value: 7 });
    await addTask(app, ada, { project_id: project, title: 'Sum up', parent_id: task, due_date: '2099-11-23' });
    const bytes = await ada.client.storage
      .from('attachments')
      .upload(`${project}/${task}/a/notes.txt`, new Blob(['hello']));
    expect(bytes.error).toBeNull();
    await addRow(app, ada, 'task_attachments', {
      project_id: project,
      task_id: task,
      name: 'notes.txt',
      content_type: 'text/plain',
      size_bytes: 5,
      object_path: `${project}/${task}/a/notes.txt`,
    });
    const id = await repeat(task, {
      rule: 'freq=weekly; interval=2; byday=tu',
      time_zone: 'Europe/Berlin',
      copies: '{checklist,labels,assignees,fields,subtasks,attachments}',
    });
    await withJob(async (job) => {
      // Midnight of Berlin, as early as the task begins.
      expect(await seriesOf(id)).toMatchObject({
        task_id: task,
        next_on: '2099-12-08',
        next_at: '2099-12-03T23:00:00+00:00',
        made: 0,
      });
      await come(id);
      await job.settle();
      await job.settle();
    });
    const series = await seriesOf(id);
    expect(series).toMatchObject({
      next_on: '2099-12-22',
      next_at: '2099-12-17T23:00:00+00:00',
      made: 1,
      is_over: false,
    });
    const { data: made } = await ada.client
      .from('tasks')
      .select(
        'title, number, column_id, start_date, due_date, estimate, priority, completed_at, created_by, task_assignees(user_id), task_label_links(label_id), task_checklist_items(title, is_done), task_field_values(value), subtasks(title, due_date, column_id), task_attachments(name, object_path)',
      )
      .eq('id', series.task_id)
      .single();
    expect(made).toMatchObject({
      title: 'Report',
      column_id: columns.backlog,
      start_date: '2099-12-04',
      due_date: '2099-12-08',
      estimate: 3,
      priority: 'p0',
      completed_at: null,
      created_by: ada.id,
      task_assignees: [{ user_id: ada.id }],
      task_label_links: [{ label_id: label }],
      task_checklist_items: [{ title: 'Figures', is_done: false }],
      task_field_values: [{ value: 7 }],
      subtasks: [{ title: 'Sum up', due_date: '2099-12-07', column_id: columns.backlog }],
      task_attachments: [{ name: 'notes.txt' }],
    });
    const [file] = (made?.task_attachments ?? []) as { object_path: string }[];
    const path = file?.object_path ?? '';
    const copy = await ada.client.storage.from('attachments').download(path);
    expect(await copy.data?.text()).toBe('hello');
    const { data: story } = await ada.client
      .from('task_activity')
      .select('task_id, change')
      .eq('kind', 'updated')
      .eq('project_id', project)
      .not('change->repeats', 'is', null)
      .order('created_at');
    expect(story).toEqual([
      {
        task_id: series.task_id,
        change: { repeats: { from: task, to: null, name: expect.stringContaining(' Report') } },
      },
      {
        task_id: task,
        change: { repeats: { from: null, to: series.task_id, name: expect.stringContaining(' Report') } },
      },
    ]);
  });

  it('days that passed while nothing ran are made one by one, none twice, by however many nodes', async () => {
    const task = await addTask(app, ada, { project_id: project, title: 'Water' });
    const id = await repeat(task, { rule: 'FREQ=DAILY', starts_on: '2020-01-01' });
    // Today's comes at once.
    await withJob(async () => undefined);
    await app.sql(`begin; set local kanbase.recurring = 'on';
      update task_recurrences set next_on = current_date - 4, next_at = now() - interval '4 days' where id = '${id}'; commit`);
    const [one, two] = await Promise.all([startRecurrences(app.services), startRecurrences(app.services)]);
    try {
      await Promise.all([one.settle(), two.settle(), one.settle(), two.settle()]);
    } finally {
      await Promise.all([one.stop(), two.stop()]);
    }
    const [{ days } = { days: '' }] = await app.sql<{ days: string }>(
      "select string_agg((current_date - n)::text, ',' order by n desc) as days from generate_series(0, 4) n",
    );
    expect(
      (await titled('Water'))
        .slice(1)
        .map((row) => row.due_date)
        .sort()
        .join(),
    ).toBe(days);
    // A clock that was set back: the day is written down.
    await app.sql(`begin; set local kanbase.recurring = 'on';
      update task_recurrences set next_on = current_date - 1, next_at = now() - interval '1 day' where id = '${id}'; commit`);
    await withJob(async () => undefined);
    expect(await titled('Water')).toHaveLength(6);
  });

  it('a node that stops between reading the rule and the task leaves nothing half done', async () => {
    const task = await addTask(app, ada, { project_id: project, title: 'Wind up' });
    const id = await repeat(task, { rule: 'FREQ=WEEKLY' });
    await withJob(async () => undefined);
    await come(id);
    const before = await app.sql<{ revision: number }>(`select revision from task_recurrences where id = '${id}'`);
    const settle = `select private.settle_recurrence('${id}', ${before[0]?.revision}, current_date + 700) as made`;
    // Killed before its transaction ended…
    await app.sql(`begin; ${settle}; rollback`);
    expect(await titled('Wind up')).toHaveLength(1);
    // …and, having ended it, before it could say so: whoever comes next asks with what it read.
    await app.sql(settle);
    expect((await app.sql<{ made: string | null }>(settle))[0]?.made).toBeNull();
    expect(await titled('Wind up')).toHaveLength(2);
  });

  it('a series ends by its count, and pauses', async () => {
    const task = await addTask(app, ada, { project_id: project, title: 'Twice' });
    const id = await repeat(task, { rule: 'FREQ=DAILY;COUNT=2' });
    const rests = await addTask(app, ada, { project_id: project, title: 'Paused' });
    const still = await repeat(rests, { rule: 'FREQ=DAILY', paused_at: '2020-01-01' });
    await withJob(async (job) => {
      await come(id);
      await job.settle();
    });
    expect(await seriesOf(id)).toMatchObject({ is_over: true, next_on: null, next_at: null, made: 1 });
    expect(await seriesOf(still)).toMatchObject({ next_on: null, next_at: null });
    expect((await ada.client.from('task_recurrences').update({ paused_at: null }).eq('id', still)).error).toBeNull();
    await withJob(async () => undefined);
    const [{ day } = { day: '' }] = await app.sql<{ day: string }>('select (current_date + 1)::text as day');
    expect((await seriesOf(still)).next_on).toBe(day);
    expect((await ada.client.from('task_recurrences').update({ lead_days: 2 }).eq('id', still)).error).toBeNull();
    const { data: story } = await ada.client
      .from('task_activity')
      .select('change->recurrence')
      .eq('task_id', rests)
      .not('change->recurrence', 'is', null)
      .order('created_at');
    const said = { rule: 'FREQ=DAILY', mode: 'calendar', time_zone: 'UTC', paused: false, lead_days: 0 };
    expect(story?.map(({ recurrence }) => recurrence)).toMatchObject([
      { from: null, to: { ...said, paused: true } },
      { from: { ...said, paused: true }, to: said },
      { from: said, to: { ...said, lead_days: 2 } },
    ]);
  });

  it('is made at the next round when the database was away for a moment', async () => {
    const task = await addTask(app, ada, { project_id: project, title: 'Tide table', due_date: '2099-11-24' });
    const id = await repeat(task, { rule: 'FREQ=WEEKLY', time_zone: 'Europe/Berlin' });
    await withJob(async () => undefined);
    await come(id);
    const { database } = app.services;
    let isAway = true;
    const away = {
      ...database,
      objectsAs: (...[caller, statement, options]: Parameters<Database['objectsAs']>) =>
        isAway && statement.text.includes('settle_recurrence')
          ? Promise.reject(unreachable(null))
          : database.objectsAs(caller, statement, options),
    } as Database;
    await withJob(async (job) => {
      expect(await seriesOf(id)).toMatchObject({ made: 0 });
      isAway = false;
      await job.settle();
      await job.settle();
    }, away);
    expect(await seriesOf(id)).toMatchObject({ made: 1, next_on: '2099-12-08' });
  });
});

describe('after completion', () => {
  it('the next task comes when one is done, counted from that day, and once', async () => {
    const task = await addTask(app, ada, { project_id: project, title: 'Oil' });
    const id = await repeat(task, {
      rule: 'FREQ=DAILY;INTERVAL=3',
      mode: 'after_completion',
      column_id: columns.in_progress,
    });
    await withJob(async (job) => {
      expect(await seriesOf(id)).toMatchObject({ task_id: task, next_at: null, is_over: false });
      await ada.client.rpc('move_task', { task_id: task, column_id: columns.done });
      await job.settle();
      await ada.client.rpc('move_task', { task_id: task, column_id: columns.todo });
      await ada.client.rpc('move_task', { task_id: task, column_id: columns.done });
      await job.settle();
    });
    const [{ day } = { day: '' }] = await app.sql<{ day: string }>(
      "select ((now() at time zone 'UTC')::date + 3)::text as day",
    );
    expect(await titled('Oil')).toEqual([
      expect.objectContaining({ id: task }),
      expect.objectContaining({ due_date: day, column_id: columns.in_progress }),
    ]);
    expect((await seriesOf(id)).task_id).not.toBe(task);
  });
});

it('a rule goes to another project with its task, to the column of the same name', async () => {
  const other = await makeProject(app, ada, 'Other');
  const task = await addTask(app, ada, { project_id: project, title: 'Travel' });
  const id = await repeat(task, { rule: 'FREQ=DAILY', column_id: columns.in_progress });
  const { error } = await ada.client.rpc('move_tasks_to_project', { task_ids: [task], project_id: other.project });
  expect(error).toBeNull();
  const { data } = await ada.client.from('task_recurrences').select('project_id, column_id').eq('id', id).single();
  expect(data).toEqual({ project_id: other.project, column_id: other.columns.in_progress });
});

describe('ten years in three zones', () => {
  // In Santiago the clock goes from midnight to one o'clock, in Lord Howe it moves by half an hour: days are those of the rule all the same.
  const zones = ['Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe'];
  const start = '2027-01-03';
  const last = '2036-12-31';
  const rules = [
    // The Sundays on which clocks change in one zone or another.
    'FREQ=YEARLY;BYMONTH=3,4,9,10;BYDAY=1SU,-1SU',
    'FREQ=MONTHLY;BYMONTHDAY=-1',
    'FREQ=WEEKLY;INTERVAL=5;BYDAY=SU',
    'FREQ=MONTHLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
  ];

  it('each day of a rule has its task, once, and appears when that day begins there', async () => {
    const wanted = zones.flatMap((time_zone) =>
      rules.map((rule) => ({ time_zone, rule, days: referenceDays(rule, start, last).filter((day) => day > start) })),
    );
    const { project: own } = await makeProject(app, ada, 'Ten years');
    const { data: tasks } = await ada.client
      .from('tasks')
      .insert(
        wanted.map(({ time_zone, rule }) => ({ project_id: own, title: `${rule} ${time_zone}`, due_date: start })),
      )
      .select('id, title');
    const set = await ada.client.from('task_recurrences').insert(
      wanted.map(({ time_zone, rule }) => ({
        task_id: tasks?.find(({ title }) => title === `${rule} ${time_zone}`)?.id,
        rule,
        time_zone,
      })),
    );
    expect(set.error).toBeNull();
    const planned = new Map<string, string[]>(wanted.map(({ rule, time_zone }) => [`${rule} ${time_zone}`, []]));
    const steps = Math.max(...wanted.map(({ days }) => days.length));
    await withJob(async (job) => {
      for (let step = 0; step < steps; step++) {
        const { data } = await ada.client
          .from('task_recurrences')
          .select('rule, time_zone, next_on, next_at')
          .eq('project_id', own);
        for (const { rule, time_zone, next_on, next_at } of data ?? []) {
          if (next_on === null || next_on > last) continue;
          planned.get(`${rule} ${time_zone}`)?.push(next_on);
          const begins = Temporal.PlainDate.from(next_on).toZonedDateTime(time_zone).toInstant();
          expect(Temporal.Instant.from(next_at).equals(begins), `${next_on} in ${time_zone}: ${next_at}`).toBe(true);
        }
        await app.sql(`begin; set local kanbase.recurring = 'on';
          update task_recurrences set next_at = now() - interval '1 second' where project_id = '${own}' and next_on <= '${last}'; commit`);
        await job.settle();
      }
    });
    for (const { rule, time_zone, days } of wanted) {
      const title = `${rule} ${time_zone}`;
      expect(planned.get(title), title).toEqual(days);
      expect(
        (await titled(title)).map(({ due_date }) => due_date),
        title,
      ).toEqual([start, ...days]);
    }
  }, 120_000);

  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'after completion it is counted from the day it is in %s',
    async (time_zone) => {
      const task = await addTask(app, ada, { project_id: project, title: `Far away: ${time_zone}` });
      await repeat(task, { rule: 'FREQ=DAILY;INTERVAL=3', mode: 'after_completion', time_zone });
      await withJob(async (job) => {
        await ada.client.rpc('move_task', { task_id: task, column_id: columns.done });
        await job.settle();
      });
      const { data } = await ada.client.from('tasks').select('completed_at').eq('id', task).single();
      const done = Temporal.Instant.from(data?.completed_at).toZonedDateTimeISO(time_zone).toPlainDate();
      expect((await titled(`Far away: ${time_zone}`)).map(({ due_date }) => due_date)).toEqual([
        null,
        done.add({ days: 3 }).toString(),
      ]);
    },
  );
});

describe('the beginning of days', () => {
  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])(
    'ten years of midnights in %s',
    async (zone) => {
      // Intl, which knows nothing of Postgres, reads every planned moment as the beginning of its day.
      const read = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
      const rows = await app.sql<{ day: string; at: string }>(
        `select to_char(d, 'YYYY-MM-DD') as day, extract(epoch from (d::date)::timestamp at time zone '${zone}')::bigint::text as at
       from generate_series('2026-01-01'::date, '2036-01-01', '1 day') d`,
      );
      expect(rows.filter(({ day, at }) => read.format(new Date(Number(at) * 1000)) !== `${day} 00:00:00`)).toEqual([]);
    },
  );
});

describe('rules', () => {
  it.each([
    ['FREQ=HOURLY', 'FREQ must be'],
    ['every day', 'FREQ must be'],
    ['FREQ=DAILY;BYHOUR=9', 'BYHOUR is not known'],
    ['FREQ=DAILY;INTERVAL=0', 'INTERVAL cannot be 0'],
    ['FREQ=WEEKLY;BYDAY=1MO', 'BYDAY cannot be 1MO'],
    ['FREQ=DAILY;COUNT=2;UNTIL=20300101', 'exclude each other'],
    ['FREQ=MONTHLY;BYDAY=MO,2TU', 'a number before each of its days or before none'],
    ['FREQ=DAILY;UNTIL=20300231', 'UNTIL cannot be'],
    ['FREQ=MONTHLY;BYSETPOS=1', 'needs BYDAY'],
    ['FREQ=DAILY;FREQ=DAILY', 'twice'],
  ])('%s is refused in a sentence', async (rule, words) => {
    const task = await addTask(app, ada, { project_id: project, title: 'Refused' });
    const { error, status } = await ada.client.from('task_recurrences').insert({ task_id: task, rule });
    expect({ status, code: error?.code, message: error?.message }).toEqual({
      status: 409,
      code: 'KB014',
      message: expect.stringContaining(words),
    });
  });

  it('an unknown time zone is refused, and what the server keeps cannot be set', async () => {
    const task = await addTask(app, ada, { project_id: project, title: 'Kept' });
    const wrong = await ada.client
      .from('task_recurrences')
      .insert({ task_id: task, rule: 'FREQ=DAILY', time_zone: 'Mars/Olympus' });
    expect(wrong.error?.code).toBe('KB014');
    const made = await ada.client
      .from('task_recurrences')
      .insert({
        task_id: task,
        rule: 'RRULE:FREQ=DAILY;UNTIL=20990101T120000Z',
        next_on: '2000-01-01',
        next_at: '2000-01-01',
        made: 9,
        is_over: true,
      })
      .select('rule, next_on, next_at, made, is_over')
      .single();
    expect(made.data).toEqual({
      rule: 'FREQ=DAILY;UNTIL=20990101',
      next_on: null,
      next_at: null,
      made: 0,
      is_over: false,
    });
  });
});
