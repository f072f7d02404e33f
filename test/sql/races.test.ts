// Races: two transactions on the same rows, overlapping. The second either sees the result of the first or waits for it.

import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { addMember, addTask, makeProject } from './board.ts';

const app = forSuite(startApp);
const owner = person(app, 'Olga');
const editor = person(app, 'Edda');

interface Spoken {
  /** Null: whoever runs the service. */
  readonly user: TestUser | null;
  readonly text: string;
  readonly values: readonly unknown[];
}

async function open(user: TestUser | null) {
  const client = new pg.Client(connectionOptions(user === null ? app.ownerUrl : app.databaseUrl));
  await client.connect();
  await client.query('begin');
  if (user !== null)
    await client.query("select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)", [
      JSON.stringify({ sub: user.id, role: 'authenticated' }),
    ]);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return { client, pid: rows[0]?.pid };
}

/** What the second got, see below. */
async function overlap(first: Spoken, second: Spoken): Promise<string> {
  return (await speakInTurn(first, second)).answer;
}

/** The first speaks, then the second; the first commits once the second has an answer or waits. */
async function speakInTurn(first: Spoken, second: Spoken): Promise<{ answer: string; waited: boolean }> {
  const [one, two] = [await open(first.user), await open(second.user)];
  try {
    await one.client.query(first.text, [...first.values]);
    let answer: string | null = null;
    const answered = two.client.query(second.text, [...second.values]).then(
      () => {
        answer = 'done';
      },
      (error: { code: string }) => {
        answer = error.code;
      },
    );
    const waits = async () =>
      (await app.sql('select from pg_locks where pid = $1 and not granted', [two.pid])).length > 0;
    while (answer === null && !(await waits()));
    const waited = answer === null;
    await one.client.query('commit');
    await answered;
    await two.client.query('commit');
    return { answer: answer ?? '', waited };
  } finally {
    await one.client.end();
    await two.client.end();
  }
}

async function board(name: string) {
  const made = await makeProject(app, owner, name);
  await addMember(app, made.project, editor, 'editor');
  const [first, second] = [
    await addTask(app, owner, { project_id: made.project, title: 'First' }),
    await addTask(app, owner, { project_id: made.project, title: 'Second' }),
  ];
  return { ...made, first, second };
}

async function expectExactFigures(project: string) {
  const read = async () => [
    await app.sql(
      `select figure, key, sum(amount)::int as amount from private.project_figures where project_id = $1
       group by 1, 2 having sum(amount) <> 0 order by 1, 2`,
      [project],
    ),
    await app.sql(
      `select task_id, is_open, open_predecessors from private.task_waits where project_id = $1 and open_predecessors <> 0 order by task_id`,
      [project],
    ),
  ];
  const kept = await read();
  await app.sql('select private.recount_figures(array[$1::uuid])', [project]);
  expect(kept).toEqual(await read());
}

describe('the last owner', () => {
  it.each([
    ['removes', 'delete from public.project_members where project_id = $1 and user_id = $2'],
    ['demotes', `update public.project_members set role = 'viewer' where project_id = $1 and user_id = $2`],
  ])('stays when each of two owners %s the other', async (_, text) => {
    const { project } = await makeProject(app, owner, 'Two owners');
    await addMember(app, project, editor, 'owner');
    const answer = await overlap(
      { user: owner, text, values: [project, editor.id] },
      { user: editor, text, values: [project, owner.id] },
    );
    expect(answer).toBe('KB003');
  });
});

describe('a project', () => {
  const roles = (project: string) =>
    app.sql('select user_id, role from public.project_members where project_id = $1 order by role', [project]);
  const endAccount: Omit<Spoken, 'values'> = { user: null, text: 'delete from auth.users where id = $1' };
  const leave = 'delete from public.project_members where project_id = $1 and user_id = $2';

  it('goes to who stays when its last owner ends their account while an editor leaves', async () => {
    const lone = await app.createUser({ name: 'Lone' });
    const { project } = await makeProject(app, lone, 'Handed on');
    for (const user of [editor, owner]) await addMember(app, project, user, 'editor');
    const going: Spoken = { user: editor, text: leave, values: [project, editor.id] };
    expect(await speakInTurn(going, { ...endAccount, values: [lone.id] })).toEqual({ answer: 'done', waited: true });
    expect(await roles(project)).toEqual([{ user_id: owner.id, role: 'owner' }]);
  });

  it('is archived when nobody is left who could own it', async () => {
    const lone = await app.createUser({ name: 'Lone' });
    const { project } = await makeProject(app, lone, 'Left');
    await addMember(app, project, editor, 'editor');
    const going: Spoken = { user: editor, text: leave, values: [project, editor.id] };
    expect(await overlap(going, { ...endAccount, values: [lone.id] })).toBe('done');
    expect(
      await app.sql('select archived_at is not null as put_away from public.projects where id = $1', [project]),
    ).toEqual([{ put_away: true }]);
  });

  it('stays for who joins it while its only member ends their account', async () => {
    const lone = await app.createUser({ name: 'Lone' });
    const { project } = await makeProject(app, lone, 'Joined');
    const join: Spoken = {
      user: null,
      text: `insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')`,
      values: [project, editor.id],
    };
    const end: Spoken = {
      user: null,
      text: `select private.end_account(u, '{"by": "self"}') from auth.users u where u.id = $1`,
      values: [lone.id],
    };
    expect(await speakInTurn(join, end)).toEqual({ answer: 'done', waited: true });
    expect(await roles(project)).toEqual([{ user_id: editor.id, role: 'owner' }]);
  });

  it('does not come back without its people when one owner ends it for good and another restores it', async () => {
    const { project } = await makeProject(app, owner, 'Ended');
    await addMember(app, project, editor, 'owner');
    await app.asUser(owner.id, 'delete from public.projects where id = $1', [project]);
    const answer = await overlap(
      { user: owner, text: 'select public.end_deleted_project($1)', values: [project] },
      { user: editor, text: 'select public.restore_project($1)', values: [project] },
    );
    expect(answer).toBe('PT404');
    expect(await app.sql('select from public.projects where id = $1 and deleted_at is null', [project])).toEqual([]);
  });
});

describe('concurrent work of two people', () => {
  it('is found by the words of both', async () => {
    const { first } = await board('Words');
    const say = 'insert into public.task_comments (task_id, body) values ($1, $2)';
    const answer = await overlap(
      { user: owner, text: say, values: [first, 'anchors'] },
      { user: editor, text: say, values: [first, 'barrels'] },
    );
    expect(answer).toBe('done');
    const [{ document = '' } = {}] = await app.sql<{ document: string }>(
      'select document::text from private.task_search where task_id = $1',
      [first],
    );
    for (const word of ['anchor', 'barrel']) expect(document).toContain(word);
  });

  it('leaves no column that needs a field which is gone', async () => {
    const { project, columns } = await board('Fields');
    const [field] = await app.asUser<{ id: string }>(
      owner.id,
      `insert into public.custom_fields (project_id, name, kind) values ($1, 'Depth', 'number') returning id`,
      [project],
    );
    const need = 'update public.workflow_columns set required_fields = array[$2::uuid] where id = $1';
    const answer = await overlap(
      { user: owner, text: need, values: [columns.done, field?.id] },
      { user: editor, text: 'delete from public.custom_fields where id = $1', values: [field?.id] },
    );
    expect(answer).toBe('done');
    expect(await app.sql('select required_fields from public.workflow_columns where id = $1', [columns.done])).toEqual([
      { required_fields: [] },
    ]);
  });

  it('leaves no project behind when its last two people end their accounts', async () => {
    const [last, other] = await Promise.all(['Lara', 'Otto'].map((name) => app.createUser({ name })));
    if (last === undefined || other === undefined) throw new Error('nobody was made');
    const { project } = await makeProject(app, last, 'Without anybody');
    await addMember(app, project, other, 'editor');
    const end = (user: TestUser): Spoken => ({
      user: null,
      text: `select private.end_account(u, '{"by":"self"}') from auth.users u where u.id = $1`,
      values: [user.id],
    });
    expect(await overlap(end(last), end(other))).toBe('done');
    expect(await app.sql('select from public.projects where id = $1', [project])).toEqual([]);
  });

  it('makes nobody the author of what somebody else writes', async () => {
    const { project, first } = await board('Words of others');
    const [comment] = await app.asUser<{ id: string }>(
      editor.id,
      `insert into public.task_comments (task_id, body) values ($1, 'Mine') returning id`,
      [first],
    );
    const forged = `insert into public.task_comments (id, task_id, author_id, body) values ($1, $2, $3, 'I approve')`;
    const answer = await overlap(
      { user: owner, text: 'delete from public.task_comments where id = $1', values: [comment?.id] },
      { user: owner, text: forged, values: [comment?.id, first, editor.id] },
    );
    expect(answer).toBe('42501');
    expect(await app.sql('select from public.task_comments where project_id = $1', [project])).toEqual([]);
  });

  it('begins one export', async () => {
    const { project } = await board('Export');
    const begin: Spoken = { user: owner, text: `select public.begin_export('json', $1)`, values: [project] };
    expect(await overlap(begin, begin)).toBe('done');
    expect(await app.sql('select from private.exports where project_id = $1', [project])).toHaveLength(1);
  });

  it('puts parts of a template under one task, neither waiting for the other for ever', async () => {
    const { project, first } = await board('Parts');
    const [template] = await app.asUser<{ id: string }>(
      owner.id,
      `select id from public.save_task_as_template($1, 'Part', is_shared => true)`,
      [first],
    );
    const parts = await Promise.all(
      [owner, editor, owner, editor].map(async (user) => {
        const made: string[] = [];
        for (let part = 0; part < 5; part++) {
          const { client } = await open(user);
          const { rows } = await client.query<{ id: string }>(
            'select id from public.create_task_from_template($1, $2, parent_id => $3)',
            [template?.id, project, first],
          );
          await client.query('commit');
          await client.end();
          made.push(rows[0]?.id ?? '');
        }
        return made;
      }),
    );
    expect(parts.flat()).toHaveLength(20);
  });
});

describe('the dashboard’s figures', () => {
  const finish = 'select public.move_task($1, $2)';
  const assign = 'insert into public.task_assignees (task_id, user_id) values ($1, $2)';
  const unassign = 'delete from public.task_assignees where task_id = $1 and user_id = $2';
  const link = 'insert into public.task_dependencies (predecessor_id, successor_id) values ($1, $2)';
  const unlink = 'delete from public.task_dependencies where predecessor_id = $1 and successor_id = $2';

  it('stay exact when a task is finished while someone is assigned, and the other way round', async () => {
    for (const turned of [false, true]) {
      const { project, columns, first } = await board('Assign and finish');
      const steps: [Spoken, Spoken] = [
        { user: owner, text: finish, values: [first, columns.done] },
        { user: editor, text: assign, values: [first, editor.id] },
      ];
      expect(await overlap(...(turned ? ([steps[1], steps[0]] as const) : steps))).toBe('done');
      await expectExactFigures(project);
    }
  });

  it('stay exact when a task is finished while its last assignee is taken off', async () => {
    for (const turned of [false, true]) {
      const { project, columns, first } = await board('Unassign and finish');
      await app.asUser(owner.id, assign, [first, editor.id]);
      const steps: [Spoken, Spoken] = [
        { user: owner, text: finish, values: [first, columns.done] },
        { user: editor, text: unassign, values: [first, editor.id] },
      ];
      expect(await overlap(...(turned ? ([steps[1], steps[0]] as const) : steps))).toBe('done');
      await expectExactFigures(project);
    }
  });

  it('stay exact when a task gets its first two assignees at once, and loses its last two at once', async () => {
    const { project, first } = await board('Two at once');
    for (const text of [assign, unassign]) {
      const answer = await overlap(
        { user: owner, text, values: [first, owner.id] },
        { user: editor, text, values: [first, editor.id] },
      );
      expect(answer).toBe('done');
      await expectExactFigures(project);
    }
  });

  it('stay exact when a predecessor is finished while its dependency is made or removed', async () => {
    for (const turned of [false, true])
      for (const text of [link, unlink]) {
        const { project, columns, first, second } = await board('Link and finish');
        if (text === unlink) await app.asUser(owner.id, link, [first, second]);
        const steps: [Spoken, Spoken] = [
          { user: owner, text: finish, values: [first, columns.done] },
          { user: editor, text, values: [first, second] },
        ];
        expect(await overlap(...(turned ? ([steps[1], steps[0]] as const) : steps))).toBe('done');
        await expectExactFigures(project);
      }
  });

  it('stay exact when both predecessors of a task are finished at once', async () => {
    const { project, columns, first, second } = await board('Two predecessors');
    const third = await addTask(app, owner, { project_id: project, title: 'Third' });
    for (const predecessor of [first, second]) await app.asUser(owner.id, link, [predecessor, third]);
    // into different columns, so that the two do not already meet at the column's lock
    await app.sql(`update public.workflow_columns set kind = 'done' where id = $1`, [columns.todo]);
    const answer = await overlap(
      { user: owner, text: finish, values: [first, columns.done] },
      { user: editor, text: finish, values: [second, columns.todo] },
    );
    expect(answer).toBe('done');
    await expectExactFigures(project);
  });

  it('stay exact when a column changes its kind while a task comes in', async () => {
    for (const turned of [false, true]) {
      const { project, columns, first } = await board('Kind and move');
      const steps: [Spoken, Spoken] = [
        { user: owner, text: 'select public.move_task($1, $2)', values: [first, columns.todo] },
        {
          user: editor,
          text: `update public.workflow_columns set kind = 'done' where id = $1`,
          values: [columns.todo],
        },
      ];
      expect(await overlap(...(turned ? ([steps[1], steps[0]] as const) : steps))).toBe('done');
      expect(await app.sql('select completed_at is not null as done from public.tasks where id = $1', [first])).toEqual(
        [{ done: true }],
      );
      await expectExactFigures(project);
    }
  });
});

describe('a person without write access', () => {
  const apply = 'select public.apply_changes($1)';
  const moveToProject = 'select public.move_tasks_to_project($1, $2)';
  const batch = (...changes: object[]) => [JSON.stringify(changes)];
  const rows = (change: string, row: object) => ({ change, table: 'tasks', rows: [row] });

  it('takes no lock of a board: what is refused waits for nobody, and nobody for it', async () => {
    const { project, columns, first, second } = await board('Held up');
    const viewer = await app.createUser({ name: 'Vera' });
    await addMember(app, project, viewer, 'viewer');
    const own = await makeProject(app, viewer, 'Their own');
    const mine = await addTask(app, viewer, { project_id: own.project, title: 'Mine' });
    const other = await makeProject(app, owner, 'Next door');

    const move: Spoken = { user: owner, text: 'select public.move_task($1, $2)', values: [first, columns.done] };
    const foreign = { id: mine, column_id: columns.done };
    const title = rows('update', { id: second, title: 'Theirs' });
    for (const [text, values, answer] of [
      [apply, batch(rows('move', foreign)), '23503'],
      ['update public.tasks set column_id = $2 where id = $1', [mine, columns.done], '23503'],
      [apply, batch(title, rows('move', { id: second, column_id: columns.done })), '42501'],
    ] as const)
      expect(await speakInTurn(move, { user: viewer, text, values })).toEqual({ answer, waited: false });

    const rename: Spoken = {
      user: owner,
      text: `update public.tasks set title = 'Mine' where id = $1`,
      values: [second],
    };
    const turn = `update public.workflow_columns set kind = 'custom' where id = (select column_id from public.tasks where id = $1)`;
    expect(await speakInTurn(rename, { user: viewer, text: turn, values: [second] })).toEqual({
      answer: '42501',
      waited: false,
    });

    const nest: Spoken = {
      user: owner,
      text: 'update public.tasks set parent_id = $2 where id = $1',
      values: [first, await addTask(app, owner, { project_id: project, title: 'Parent' })],
    };
    const nested = batch(title, rows('update', { id: second, parent_id: null }));
    expect(await speakInTurn(nest, { user: viewer, text: apply, values: nested })).toEqual({
      answer: '42501',
      waited: false,
    });
    expect(
      await speakInTurn(
        { user: owner, text: moveToProject, values: [[first], other.project] },
        { user: viewer, text: moveToProject, values: [[second], own.project] },
      ),
    ).toEqual({ answer: '42501', waited: false });
  });
});
