// Recurrence rules that never come: refused in words where their days say so, else found by a bounded search and ended, while other
// people are answered.

import { beforeAll, expect, test } from 'vitest';
import { startRecurrences } from '../../../server/background/recurrence/start-recurrences.ts';
import { startApp, type TestUser } from '../../helpers/app.ts';
import { forSuite } from '../../helpers/for-suite.ts';
import { makeProject } from '../../sql/board.ts';

let ada: TestUser;
let project: string;
let column: string;

const app = forSuite(startApp);
beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada' });
  const made = await makeProject(app, ada, 'Engine');
  project = made.project;
  const { data } = await ada.client.from('workflow_columns').select('id').eq('project_id', project).limit(1).single();
  column = data?.id as string;
});

async function addTasks(count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, index) => ({
    project_id: project,
    column_id: column,
    title: `T${index}`,
  }));
  const { data, error } = await ada.client.from('tasks').insert(rows).select('id');
  expect(error).toBeNull();
  return (data ?? []).map(({ id }) => id as string);
}

test.each([
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=DAILY;BYMONTH=2,4;BYMONTHDAY=31,-31',
  'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=6',
])('%s is refused in words', async (rule) => {
  const [task] = await addTasks(1);
  const { error } = await ada.client.from('task_recurrences').insert({ task_id: task, rule });
  expect(error).toMatchObject({
    code: 'KB014',
    message:
      'this is no rule by which a task can come again: no month that BYMONTH names has a day of BYMONTHDAY, so it would never come',
  });
});

test.each([
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
  'FREQ=YEARLY;BYMONTH=2,3;BYMONTHDAY=30',
  'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=-29',
])('%s comes, if rarely', async (rule) => {
  const [task] = await addTasks(1);
  const { error } = await ada.client.from('task_recurrences').insert({ task_id: task, rule });
  expect(error).toBeNull();
});

test('two hundred that no word of theirs gives away are ended, and others are answered meanwhile', async () => {
  const grace = await app.createUser({ name: 'Grace' });
  const own = await makeProject(app, grace, 'Compiler');
  const tasks = await addTasks(200);
  const rule = 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=9';
  const { error } = await ada.client.from('task_recurrences').insert(tasks.map((task_id) => ({ task_id, rule })));
  expect(error).toBeNull();
  const job = await startRecurrences(app.services);
  try {
    let settled = false;
    const settling = job.settle().then(() => {
      settled = true;
    });
    let answered = 0;
    while (!settled) {
      const { data } = await grace.client.from('projects').select('id').eq('id', own.project);
      expect(data).toHaveLength(1);
      answered++;
    }
    await settling;
    // Each of them waits for the database, and so lets others pass.
    expect(answered).toBeGreaterThan(10);
  } finally {
    await job.stop();
  }
  const { data } = await ada.client.from('task_recurrences').select('is_over').eq('rule', rule);
  expect(data).toHaveLength(200);
  expect(new Set(data?.map(({ is_over }) => is_over))).toEqual(new Set([true]));
}, 60_000);
