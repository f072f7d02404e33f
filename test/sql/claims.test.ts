// Claims of tasks through /rest/v1 and /storage/v1: order, candidates, leases, fences, and many callers at once.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import type { TestUser } from '../helpers/app.ts';
import { addMember, addTask, makeProject, one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor, shared } = startTogether();

interface Claim {
  readonly id: string;
  readonly task_id: string;
  readonly user_id: string;
  readonly fence: number;
  readonly expires_at: string;
  readonly ended_at: string | null;
  readonly outcome: string | null;
  readonly tasks?: { readonly title: string };
}
type Arguments = Readonly<Record<string, unknown>>;

const claim = async ({ client }: TestUser, args: Arguments): Promise<Claim | null> => {
  const rows = (await one(client.rpc('claim_next_task', args).select('*,tasks(title)'))) as unknown as Claim[];
  return rows[0] ?? null;
};
const claimed = async (person: TestUser, args: Arguments): Promise<Claim> => {
  const found = await claim(person, args);
  if (found === null) throw new Error('nothing was claimed');
  return found;
};
const titleOf = async (person: TestUser, args: Arguments) => (await claim(person, args))?.tasks?.title ?? null;
const fenced = (fence: unknown) => ({ 'claim-fence': String(fence), 'content-type': 'application/json' });
const patch = async ({ token }: TestUser, task: string, fence: unknown, body: object) => {
  const headers = fence === null ? { 'content-type': 'application/json' } : fenced(fence);
  const answer = await app.request(`/rest/v1/tasks?id=eq.${task}`, {
    ...{ token, method: 'PATCH', headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: answer.status === 204 ? null : await answer.json() };
};
/** In a transaction of the person that ends after `work`. */
async function during(
  user: TestUser,
  text: string,
  values: readonly unknown[],
  work: (client: pg.Client) => Promise<void>,
) {
  const client = new pg.Client(connectionOptions(app.databaseUrl));
  await client.connect();
  try {
    await client.query('begin');
    const claims = JSON.stringify({ sub: user.id, role: 'authenticated' });
    await client.query("select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)", [
      claims,
    ]);
    await client.query(text, [...values]);
    await work(client);
    await client.query('commit');
  } finally {
    await client.end();
  }
}
const runOut = (id: string) =>
  app.sql(`update task_claims set expires_at = now() - interval '1 second' where id = $1`, [id]);
const story = async (task: string) =>
  (await app.sql<{ kind: string; actor_id: string | null; change: Record<string, unknown> }>(
    `select kind, actor_id, change from task_activity where task_id = $1 and kind like 'claim%' order by id`,
    [task],
  )) as readonly { kind: string; actor_id: string | null; change: Record<string, unknown> }[];
const make = (project_id: string, title: string, more: object = {}) =>
  addTask(app, owner, { project_id, title, ...more });

describe('the next task', () => {
  it('is the most urgent that is free, then the highest in rank, and comes with its task', async () => {
    const { project } = await shared('Order');
    await make(project, 'Later', { priority: 'p2' });
    await make(project, 'First', { priority: 'p0' });
    await make(project, 'Second', { priority: 'p0' });
    const first = await claimed(editor, { project });
    expect(first).toMatchObject({ user_id: editor.id, ended_at: null, tasks: { title: 'First' } });
    expect(Date.parse(first.expires_at) - Date.now()).toBeGreaterThan(600_000);
    expect([await titleOf(owner, { project }), await titleOf(owner, { project })]).toEqual(['Second', 'Later']);
    expect(await claim(editor, { project })).toBeNull();
    expect(await story(first.task_id)).toMatchObject([{ kind: 'claimed', actor_id: editor.id }]);
  });

  it('passes over what is done, archived, blocked, somebody else’s, and out of sight', async () => {
    const { project, columns } = await shared('Candidates');
    const [before, after] = [await make(project, 'Before'), await make(project, 'After', { priority: 'p0' })];
    await addRowOf('task_dependencies', { project_id: project, predecessor_id: before, successor_id: after });
    await addRowOf('task_assignees', { project_id: project, task_id: before, user_id: owner.id });
    await make(project, 'Done', { column_id: columns.done });
    await make(project, 'Archived', { archived_at: new Date().toISOString() });
    const hidden = await make(project, 'Hidden');
    await one(owner.client.from('tasks').update({ is_restricted: true }).eq('id', hidden).select());
    const ours = await make(project, 'Ours');
    for (const user_id of [owner.id, editor.id])
      await addRowOf('task_assignees', { project_id: project, task_id: ours, user_id });
    expect([await titleOf(editor, { project }), await titleOf(editor, { project })]).toEqual(['Ours', null]);
    expect([await titleOf(owner, { project }), await titleOf(owner, { project })]).toEqual(['Before', 'Hidden']);
    expect(await claim(owner, { project })).toBeNull();
  });

  it('is one of a view, in the order of the view, with its words for me and today', async () => {
    const { project } = await shared('View');
    const view = { id: randomUUID(), project_id: project, name: 'Mine', is_shared: true, layout: 'list' };
    const filter = { all: [{ property: 'assignee', is: 'any_of', value: ['me'] }] };
    await one(
      owner.client
        .from('saved_views')
        .insert({ ...view, filter, sort: [{ by: 'due_date' }] })
        .select(),
    );
    const tasks = [
      await make(project, 'Late', { due_date: '2030-02-01' }),
      await make(project, 'Soon', { due_date: '2030-01-01' }),
    ];
    for (const task_id of tasks) await addRowOf('task_assignees', { project_id: project, task_id, user_id: editor.id });
    await make(project, 'Nobody’s', { priority: 'p0' });
    expect(await claim(owner, { view: view.id })).toBeNull();
    expect([await titleOf(editor, { view: view.id }), await titleOf(editor, { view: view.id })]).toEqual([
      'Soon',
      'Late',
    ]);
  });

  it('starts where a column has room, and nowhere else', async () => {
    const { project, columns } = await shared('Limit');
    await one(owner.client.from('workflow_columns').update({ wip_limit: 1 }).eq('id', columns.in_progress).select());
    for (const title of ['One', 'Two']) await make(project, title);
    const started = await claimed(editor, { project, start: true });
    expect(await columnOf(started.task_id)).toBe(columns.in_progress);
    expect(await claim(editor, { project, start: true })).toBeNull();
    const left = await claimed(editor, { project });
    expect(await columnOf(left.task_id)).toBe(columns.backlog);
  });

  it('is what is under way where somebody else is just taking the last place of the column', async () => {
    const { project, columns } = await shared('Taken');
    await one(owner.client.from('workflow_columns').update({ wip_limit: 1 }).eq('id', columns.in_progress).select());
    for (const title of ['One', 'Two']) await make(project, title);
    const moved = await make(project, 'Moved');
    const waits = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    let asked: Promise<Claim | null> = Promise.resolve(null);
    await during(owner, 'select public.move_task($1, $2)', [moved, columns.in_progress], async () => {
      asked = claim(editor, { project, start: true });
      while ((await app.sql(waits)).length === 0);
    });
    expect((await asked)?.tasks?.title).toBe('Moved');
    expect(await claim(editor, { project, start: true })).toBeNull();
  });

  it('starts where its required fields are filled in, and keeps no lock on what it passes over', async () => {
    const { project, columns } = await shared('Required');
    const field_id = randomUUID();
    await addRowOf('custom_fields', { id: field_id, project_id: project, name: 'Order', kind: 'text' });
    await one(
      owner.client
        .from('workflow_columns')
        .update({ required_fields: [field_id] })
        .eq('id', columns.in_progress)
        .select(),
    );
    await app.asUser(
      owner.id,
      `insert into tasks (project_id, title, priority) select $1::uuid, 'Empty ' || n, 'p0' from generate_series(1, 120) n`,
      [project],
    );
    const empty = await make(project, 'Empty', { priority: 'p0' });
    await during(editor, 'select from public.claim_next_task(project => $1, start => true)', [project], async () => {
      expect((await patch(owner, empty, null, { title: 'Edited' })).status).toBe(204);
    });
    const filled = await make(project, 'Filled in', { priority: 'p2' });
    await addRowOf('task_field_values', { project_id: project, task_id: filled, field_id, value: '4711' });
    expect(await titleOf(editor, { project, start: true })).toBe('Filled in');
    expect(await claim(editor, { project, start: true })).toBeNull();
    expect(await titleOf(editor, { project })).toMatch('E');
  });

  it('is refused to viewers, strangers and programs that only read', async () => {
    const { project } = await shared('Rights');
    await make(project, 'Task');
    const [viewer, stranger] = [await app.createUser({ name: 'Vera' }), await app.createUser({ name: 'Otto' })];
    await addMember(app, project, viewer, 'viewer');
    const codeOf = async (client: TestUser['client'], args: Arguments) =>
      (await client.rpc('claim_next_task', args)).error?.code ?? null;
    expect(await codeOf(viewer.client, { project })).toBe('42501');
    expect(await codeOf(stranger.client, { project })).toBe('PT404');
    expect(await codeOf(stranger.client, { view: randomUUID() })).toBe('PT404');
    expect(await codeOf(app.client({ key: app.serviceKey }), { project })).toBe('42501');
    for (const [scope, code] of [
      ['comment', '42501'],
      ['write', null],
    ] as const) {
      const { token } = (await one(editor.client.rpc('create_api_key', { name: scope, scope }))) as { token: string };
      expect(await codeOf(app.client({ token }), { project })).toBe(code);
    }
    expect(await codeOf(owner.client, { project, seconds: 0 })).toBe('22023');
  });
});

const addRowOf = async (table: string, row: object): Promise<void> =>
  void (await one(owner.client.from(table).insert(row).select()));
const columnOf = async (task: string) =>
  (await app.sql<{ column_id: string }>('select column_id from tasks where id = $1', [task]))[0]?.column_id;

describe('a claim', () => {
  it('is kept by its person alone, and handed back with a note', async () => {
    const { project } = await shared('Keeping');
    await make(project, 'Task');
    const held = await claimed(editor, { project, seconds: 60 });
    const kept = (await one(editor.client.rpc('keep_claim', { claim: held.id, seconds: 3600 }))) as Claim;
    expect(Date.parse(kept.expires_at) - Date.parse(held.expires_at)).toBeGreaterThan(3_000_000);
    expect((await owner.client.rpc('keep_claim', { claim: held.id })).error?.code).toBe('42501');
    const back = { claim: held.id, note: 'No access to the server' };
    for (const _ of ['once', 'again because the answer was lost'])
      expect(await one(editor.client.rpc('release_claim', back))).toMatchObject({ outcome: 'released' });
    expect(await story(held.task_id)).toMatchObject([
      { kind: 'claimed' },
      { kind: 'claim_released', actor_id: editor.id, change: { note: 'No access to the server' } },
    ]);
    expect((await editor.client.rpc('keep_claim', { claim: held.id })).error).toMatchObject({ code: 'KB022' });
    expect((await claimed(owner, { project })).fence).toBeGreaterThan(held.fence);
  });

  it('is ended by an owner, and by no other member', async () => {
    const { project } = await shared('Ending');
    await make(project, 'Task');
    const ours = await claimed(owner, { project });
    expect((await editor.client.rpc('release_claim', { claim: ours.id })).error?.code).toBe('42501');
    await one(owner.client.rpc('release_claim', { claim: ours.id }));
    const theirs = await claimed(editor, { project });
    await one(owner.client.rpc('release_claim', { claim: theirs.id }));
    expect(await story(theirs.task_id)).toMatchObject([{}, {}, {}, { kind: 'claim_released', actor_id: owner.id }]);
  });

  it('ends as its task is done or archived, and as its person leaves', async () => {
    const { project, columns } = await shared('Finishing');
    for (const title of ['One', 'Two', 'Three']) await make(project, title);
    const [first, second, third] = [
      await claimed(editor, { project }),
      await claimed(editor, { project }),
      await claimed(editor, { project }),
    ];
    await one(editor.client.rpc('move_task', { task_id: first.task_id, column_id: columns.done }));
    await one(editor.client.from('tasks').update({ archived_at: 'now' }).eq('id', second.task_id).select());
    await one(
      owner.client.from('project_members').delete().eq('project_id', project).eq('user_id', editor.id).select(),
    );
    const ends = await app.sql('select outcome from task_claims where project_id = $1 order by fence', [project]);
    expect(ends).toEqual([{ outcome: 'finished' }, { outcome: 'finished' }, { outcome: 'released' }]);
    expect((await claimed(owner, { project })).task_id).toBe(third.task_id);
  });

  it('ends as its person may only read any more, so that others claim the task', async () => {
    const { project } = await shared('Reading');
    await make(project, 'Task');
    const held = await claimed(editor, { project, seconds: 86_400 });
    const member = owner.client.from('project_members').update({ role: 'viewer' });
    await one(member.eq('project_id', project).eq('user_id', editor.id).select());
    expect(await claimed(owner, { project })).toMatchObject({ task_id: held.task_id });
    expect(await app.sql('select outcome from task_claims where id = $1', [held.id])).toEqual([
      { outcome: 'released' },
    ]);
  });

  it('frees its task at once as its time runs out, which is written down once', async () => {
    const { project } = await shared('Time');
    await make(project, 'Task');
    const expired = await claimed(editor, { project });
    await runOut(expired.id);
    const next = await claimed(owner, { project });
    expect(next.task_id).toBe(expired.task_id);
    expect((await editor.client.rpc('keep_claim', { claim: expired.id })).error).toMatchObject({
      code: 'KB022',
      details: expect.stringContaining('time ran out'),
      hint: expect.stringContaining('claim_next_task'),
    });
    await runOut(next.id);
    const sweep = () => app.asUser({ role: 'service_role' }, 'select private.end_expired_claims(100)');
    await Promise.all([sweep(), sweep(), sweep()]);
    const lines = await story(expired.task_id);
    expect(lines.map(({ kind, actor_id }) => [kind, actor_id])).toEqual([
      ['claimed', editor.id],
      ['claim_expired', null],
      ['claimed', owner.id],
      ['claim_expired', null],
    ]);
  });

  it('that is just being kept past its time holds its task, which stays where it is', async () => {
    const { project, columns } = await shared('Kept');
    await make(project, 'Task');
    const held = await claimed(editor, { project });
    const begin = 'select from public.tasks where id = $1';
    await during(editor, begin, [held.task_id], async (client) => {
      // Over for those who ask from now on, not for who asked before.
      await app.sql('update task_claims set expires_at = clock_timestamp() where id = $1', [held.id]);
      await client.query('select public.keep_claim($1)', [held.id]);
      expect(await claim(owner, { project, start: true })).toBeNull();
    });
    expect(await columnOf(held.task_id)).toBe(columns.backlog);
    expect(await claim(owner, { project })).toBeNull();
  });

  it('goes along to another project, where its person may write', async () => {
    const [from, to, away] = [await shared('From'), await shared('To'), await shared('Away')];
    await one(
      owner.client.from('project_members').delete().eq('project_id', away.project).eq('user_id', editor.id).select(),
    );
    await make(from.project, 'Task');
    const held = await claimed(editor, { project: from.project });
    const move = (project_id: string) =>
      one(owner.client.rpc('move_task_to_project', { task_id: held.task_id, project_id }));
    const state = () => app.sql('select project_id, outcome from task_claims where id = $1', [held.id]);
    await move(to.project);
    expect(await state()).toEqual([{ project_id: to.project, outcome: null }]);
    await move(away.project);
    expect(await state()).toEqual([{ project_id: away.project, outcome: 'released' }]);
  });
});

describe('a fence', () => {
  it('lets writes of the claim through, and refuses them with 409 once it has ended, at every door', async () => {
    const { project } = await shared('Fence');
    await make(project, 'Task');
    const held = await claimed(editor, { project });
    expect((await patch(editor, held.task_id, held.fence, { title: 'Under way' })).status).toBe(204);
    const path = `${project}/${held.task_id}/${randomUUID()}/late.txt`;
    const link = await one(editor.client.storage.from('attachments').createSignedUploadUrl(path));
    await runOut(held.id);
    const refused = { status: 409, body: { code: 'KB022', hint: expect.stringContaining('claim_next_task') } };
    expect(await patch(editor, held.task_id, held.fence, { title: 'Too late' })).toMatchObject(refused);
    const next = await claimed(owner, { project });
    expect(await patch(editor, held.task_id, held.fence, { title: 'Too late' })).toMatchObject(refused);
    expect(await patch(editor, held.task_id, next.fence, { title: 'Not mine' })).toMatchObject(refused);
    expect((await patch(editor, held.task_id, 'x', { title: 'No number' })).status).toBe(400);
    const post = (path: string, body: unknown) =>
      app.request(path, {
        token: editor.token,
        method: 'POST',
        headers: fenced(held.fence),
        body: JSON.stringify(body),
      });
    const doors = [
      post('/rest/v1/task_comments', { project_id: project, task_id: held.task_id, body: 'Too late' }),
      post('/rest/v1/rpc/move_task', { task_id: held.task_id }),
      post(`/storage/v1/object/attachments/${path}`, 'Too late'),
      app.request(`/storage/v1/object/upload/sign/attachments/${path}?token=${link.token}`, {
        ...{ token: null, method: 'PUT', headers: fenced(held.fence), body: 'Too late' },
      }),
      app.request('/storage/v1/upload/resumable/sign', {
        ...{ token: null, method: 'POST' },
        headers: {
          ...{
            'claim-fence': String(held.fence),
            'x-signature': link.token,
            'tus-resumable': '1.0.0',
            'upload-length': '8',
          },
          'upload-metadata': `bucketName ${btoa('attachments')},objectName ${btoa(path)}`,
        },
      }),
    ];
    for (const door of doors) {
      const answer = await door;
      expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('claim')]);
    }
    expect((await patch(owner, held.task_id, next.fence, { title: 'In time' })).status).toBe(204);
    expect((await post('/rest/v1/rpc/claim_next_task', { project })).status).toBe(200);
    expect(await app.sql('select title from tasks where id = $1', [held.task_id])).toEqual([{ title: 'In time' }]);
  });
});

describe('a link for an upload that was signed under a claim', () => {
  it('is refused once the claim has ended, also under another claim', async () => {
    const { project } = await shared('Sealed');
    await make(project, 'Task');
    await make(project, 'Other');
    const held = await claimed(editor, { project });
    const other = await claimed(editor, { project });
    const sign = async (): Promise<string> => {
      const path = `attachments/${project}/${held.task_id}/${randomUUID()}/sealed.txt`;
      const answer = await app.request(`/storage/v1/object/upload/sign/${path}`, {
        ...{ token: editor.token, method: 'POST', headers: { 'claim-fence': String(held.fence) } },
      });
      return `/storage/v1${((await answer.json()) as { url: string }).url}`;
    };
    const put = (url: string, headers: Record<string, string> = {}) =>
      app.request(url, { token: null, method: 'PUT', headers, body: 'Sealed' });
    const [inTime, late] = [await sign(), await sign()];
    expect((await put(inTime)).status).toBe(200);
    await runOut(held.id);
    for (const headers of [undefined, { 'claim-fence': String(other.fence) }]) {
      const answer = await put(late, headers);
      expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('claim')]);
    }
  });
});

describe('a write with a fence', () => {
  const hold = 'select private.hold_claims($1)';

  it('keeps its task from being given to others, however its claim ends, and from nobody who writes it', async () => {
    const { project } = await shared('Held');
    await make(project, 'Task');
    const held = await claimed(editor, { project });
    await during(editor, hold, [held.fence], async () => {
      expect((await patch(owner, held.task_id, null, { title: 'Edited' })).status).toBe(204);
      await runOut(held.id);
      expect(await claim(owner, { project })).toBeNull();
    });
    const next = await claimed(owner, { project });
    await during(owner, hold, [next.fence], async () => {
      await one(owner.client.rpc('release_claim', { claim: next.id }));
      expect(await claim(editor, { project })).toBeNull();
    });
    expect((await claimed(editor, { project })).task_id).toBe(held.task_id);
  });

  it('may write the task of another one that writes its own', async () => {
    const { project } = await shared('Crossed');
    for (const title of ['One', 'Two']) await make(project, title);
    const [mine, yours] = [await claimed(editor, { project }), await claimed(owner, { project })];
    await during(editor, hold, [mine.fence], () =>
      during(owner, hold, [yours.fence], async () => {
        expect((await patch(editor, yours.task_id, mine.fence, { title: 'From one' })).status).toBe(204);
        expect((await patch(owner, mine.task_id, yours.fence, { title: 'From two' })).status).toBe(204);
      }),
    );
  });

  it('is refused at once under fences of others, whose tasks are held up by nothing', async () => {
    const { project } = await shared('Foreign');
    await make(project, 'Task');
    const theirs = await claimed(editor, { project });
    const stranger = await app.createUser({ name: 'Otto' });
    const { project: elsewhere } = await makeProject(app, stranger, 'Elsewhere');
    await addTask(app, stranger, { id: 'ffffffff-ffff-4fff-bfff-ffffffffffff', project_id: elsewhere, title: 'Own' });
    const own = await claimed(stranger, { project: elsewhere });
    await during(stranger, "update public.tasks set title = 'Slow' where id = $1", [own.task_id], async () => {
      const both = `${own.fence},${theirs.fence}`;
      expect(await patch(stranger, own.task_id, both, { title: 'Two' })).toMatchObject({ status: 409 });
      expect((await patch(editor, theirs.task_id, theirs.fence, { title: 'Under way' })).status).toBe(204);
    });
  });
});

describe('many callers at once', () => {
  it('are given each task once, and none is left', async () => {
    const { project } = await shared('Crowd');
    const count = 300;
    await app.asUser(
      owner.id,
      `insert into tasks (project_id, title) select $1::uuid, 'Task ' || n from generate_series(1, ${count}) n`,
      [project],
    );
    const got: string[] = [];
    const work = async (person: TestUser): Promise<void> => {
      for (let next = await claim(person, { project }); next !== null; next = await claim(person, { project })) {
        got.push(next.task_id);
      }
    };
    await Promise.all(Array.from({ length: 24 }, (_, at) => work(at % 2 === 0 ? owner : editor)));
    expect([got.length, new Set(got).size]).toEqual([count, count]);
  });
});
