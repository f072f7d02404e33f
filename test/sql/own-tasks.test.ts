// Cost of a page of one's tasks depends on the page alone, not on the number of tasks.

import { beforeAll, expect, it } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addMember, makeProject } from './board.ts';

const tasks = 2000;
const few = 3;
const others = 200;
const page = 20;

let ada: TestUser;
let bob: TestUser;

const app = forSuite(() => startApp({ settings: { DATA_PLANS: 'true' } }));
beforeAll(async () => {
  [ada, bob] = [await app.createUser({ name: 'Ada' }), await app.createUser({ name: 'Bob' })];
  const { project, columns } = await makeProject(app, ada, 'Crowd');
  await addMember(app, project, bob, 'editor');
  await app.sql(
    `insert into public.tasks (project_id, column_id, title) select $1, $2, 'Task ' || n from generate_series(1, ${tasks}) n`,
    [project, columns.todo],
  );
  // Most have few, as everywhere.
  await app.sql(
    `insert into auth.users (id, email) select gen_random_uuid(), n || '@crowd.test' from generate_series(1, ${others}) n`,
  );
  await app.sql(
    `insert into public.project_members (project_id, user_id, role)
     select $1, id, 'editor' from auth.users where email like '%@crowd.test'`,
    [project],
  );
  await app.sql(
    `insert into public.task_assignees (project_id, task_id, user_id)
     select project_id, id, $2::uuid from public.tasks where project_id = $1
     union all (select project_id, id, $3::uuid from public.tasks where project_id = $1 order by number desc limit ${few})
     union all select $1, t.id, m.user_id from public.project_members m
       cross join (select id from public.tasks where project_id = $1 limit ${few}) t
       where m.project_id = $1 and m.user_id not in ($2, $3)`,
    [project, ada.id, bob.id],
  );
  await app.sql('vacuum analyze public.tasks, public.task_assignees');
});

interface Step {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly Plans?: readonly Step[];
  readonly [removed: `Rows Removed by ${string}`]: number | undefined;
}

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];

/** Rows that were read of tasks and of who works on them, those that were thrown away too. */
const rowsRead = (plan: Step): number =>
  stepsOf(plan)
    .filter((step) => /^task/.test(step['Relation Name'] ?? ''))
    .reduce((sum, step) => {
      const removed = (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Index Recheck'] ?? 0);
      return sum + ((step['Actual Rows'] ?? 0) + removed) * (step['Actual Loops'] ?? 1);
    }, 0);

const shapes = ['id,title,task_assignees!inner()', 'id,title,task_assignees!inner(user_id)'];

it.each(shapes)('a page of %s reads the page, of many as of few', async (columns) => {
  const askedBy = (user: TestUser) =>
    user.client.from('tasks').select(columns).eq('task_assignees.user_id', user.id).order('id').limit(page);
  for (const [user, found] of [
    [ada, page],
    [bob, few],
  ] as const) {
    expect((await askedBy(user)).data).toHaveLength(found);
    const { data } = await askedBy(user).explain({ format: 'json', analyze: true });
    const [{ Plan: plan }] = data as unknown as [{ Plan: Step }];
    // Each of them once in its own table, once among those who work on it, and once more where that is shown.
    expect(rowsRead(plan)).toBeLessThanOrEqual(3 * page);
  }
});
