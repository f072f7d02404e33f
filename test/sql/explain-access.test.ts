// Access explained: the answer is that of the door for everyone, names each way in, and is told to those whom it concerns.

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { draws, seed } from '../helpers/seed.ts';
import { openedLink } from '../policies/callers-and-board.ts';
import { asTrial } from '../policies/cells.ts';
import { addMember, type Board, makeBoard, makeGroup, makeProject, one } from './board.ts';

const app = forSuite(() => startApp({ settings: { DATA_TX_OVERRIDE: 'true' } }));
let board: Board;
let people: Record<string, TestUser>;
let group: string;

interface Explained {
  readonly person_id: string | null;
  readonly display_name: string | null;
  readonly role: string | null;
  readonly sees: boolean;
  readonly comments: boolean;
  readonly changes: boolean;
  readonly manages: boolean;
  readonly reasons: readonly (Readonly<Record<string, string>> & { readonly tasks?: number })[];
}
const explain = async (
  object: string,
  person?: Pick<TestUser, 'id'>,
  asker = board.people.owner,
): Promise<readonly Explained[]> =>
  (await one(asker.client.rpc('explain_access', { object, person: person?.id ?? null }))) as Explained[];
const rightsOf = ({ sees, comments, changes, manages }: Explained) => ({ sees, comments, changes, manages });
const rulesOf = ({ reasons }: Explained) => reasons.map(({ rule }) => rule);

beforeAll(async () => {
  board = await makeBoard(app);
  const { owner, editor, viewer, outsider } = board.people;
  const more = ['grouped', 'in two', 'left', 'visiting', 'invited', 'linked'];
  const made = await Promise.all(more.map((name) => app.createUser({ name })));
  people = { owner, editor, viewer, outsider, ...Object.fromEntries(made.map((user) => [user.name, user])) };
  const { grouped, left, visiting, invited, linked } = people as Record<string, TestUser>;
  const [first, second] = [await makeGroup(app, owner), await makeGroup(app, owner)];
  group = first;
  const members = owner.client.from('project_members');
  for (const [group_id, role, users] of [
    [first, 'viewer', [grouped, people['in two'], left]],
    [second, 'editor', [people['in two']]],
  ] as const) {
    for (const user of users)
      await one(owner.client.from('group_members').insert({ group_id, user_id: user?.id }).select());
    await one(members.insert({ project_id: board.project, group_id, role }).select());
  }
  await one(owner.client.from('group_members').delete().eq('group_id', first).eq('user_id', left?.id).select());
  await app.sql('update auth.users set is_operator = true where id = $1', [visiting?.id]);
  await app.sql(
    `with entered as (insert into private.operator_entries (project_id, deed, operator_id, operator, reason, ends_at)
       values ($1, 'entered', $2, 'op', 'A lost file', now() + interval '1 day'))
     insert into public.project_members (project_id, user_id, role) values ($1, $2, 'viewer')`,
    [board.project, visiting?.id],
  );
  const sent = (await one(
    owner.client.rpc('invite_member', { project_id: board.project, email: invited?.email, role: 'editor' }),
  )) as { token: string };
  await one(invited?.client.rpc('accept_invitation', { token: sent.token }) as never);
  const link: string = await one(owner.client.rpc('join_link_token', { link_id: board.joinLink }));
  await one(linked?.client.rpc('join_by_link', { token: link }) as never);
});

/** What the door lets somebody do, tried and put back. */
async function tried({ token }: Pick<TestUser, 'token'>, { project, task }: { project: string; task: string }) {
  const ask = async (method: string, path: string, body?: unknown): Promise<boolean> => {
    const answer = await app.request(`/rest/v1/${path}`, {
      method,
      token,
      headers: asTrial,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answer.ok && ((await answer.json()) as unknown[]).length > 0;
  };
  return {
    sees: await ask('GET', `tasks?id=eq.${task}`),
    comments: await ask('POST', 'task_comments', { task_id: task, body: 'May I?' }),
    changes: await ask('PATCH', `tasks?id=eq.${task}`, { title: 'Another' }),
    manages: await ask('PATCH', `projects?id=eq.${project}`, { name: 'Another' }),
  };
}

describe('explain_access', () => {
  it.each(['owner', 'editor', 'viewer', 'outsider', 'grouped', 'in two', 'left', 'visiting', 'invited', 'linked'])(
    'says of the one called %s what the door lets them do, whatever it is asked about',
    async (name) => {
      const user = people[name] as TestUser;
      const [task = ''] = board.tasks;
      for (const object of [board.project, task, board.attachment]) {
        const [told] = await explain(object, user);
        expect(rightsOf(told as Explained)).toEqual(await tried(user, { project: board.project, task }));
      }
    },
  );

  it('follows what the project lets its viewers do', async () => {
    const { project } = await makeProject(app, board.people.owner, 'Discussed');
    await app.sql('insert into public.project_members (project_id, user_id, role) values ($1, $2, $3)', [
      project,
      board.people.viewer.id,
      'viewer',
    ]);
    const commentsOf = async () => (await explain(project, board.people.viewer))[0]?.comments;
    expect(await commentsOf()).toBe(false);
    await one(
      board.people.owner.client.from('projects').update({ viewers_may_comment: true }).eq('id', project).select(),
    );
    expect(await commentsOf()).toBe(true);
  });

  it('names each way in', async () => {
    const { owner } = board.people;
    const reasons = async (name: string) => (await explain(board.project, people[name]))[0]?.reasons;
    expect((await reasons('owner'))?.map(({ rule }) => rule)).toEqual(['founder', 'group', 'group']);
    expect(await reasons('invited')).toMatchObject([{ rule: 'invitation', role: 'editor', by: owner.id }]);
    expect(await reasons('linked')).toMatchObject([{ rule: 'join_link' }]);
    expect(await reasons('grouped')).toMatchObject([{ rule: 'group', role: 'viewer', group_id: group }]);
    expect((await reasons('in two'))?.map(({ role }) => role)).toEqual(['editor', 'viewer']);
    expect(await reasons('visiting')).toMatchObject([{ rule: 'operator_visit', words: 'A lost file' }]);
    expect([await reasons('left'), await reasons('outsider')]).toEqual([[], []]);
  });

  it('lists everyone who gets in, owners first, then invitations and links that are open', async () => {
    const all = await explain(board.project);
    const rows = all.filter(({ person_id }) => person_id !== null);
    expect(rows[0]?.display_name).toBe('Olga Owner');
    expect(rows.map(({ display_name }) => display_name).sort()).toEqual(
      ['Edda Editor', 'Olga Owner', 'Vito Viewer', 'grouped', 'in two', 'invited', 'linked', 'visiting'].sort(),
    );
    expect(all.slice(rows.length).flatMap(rulesOf)).toEqual(['open_invitation', 'open_join_link', 'open_share_link']);
    expect(all.slice(rows.length).map(({ sees }) => sees)).toEqual([false, false, true]);
  });

  it('says that a disabled account sees nothing, and which role waits for it', async () => {
    const { id } = people.linked as TestUser;
    await app.sql(`update auth.users set banned_until = now() + interval '1 hour' where id = $1`, [id]);
    const [told] = await explain(board.project, people.linked);
    expect(rightsOf(told as Explained)).toEqual({ sees: false, comments: false, changes: false, manages: false });
    expect(told?.role).not.toBeNull();
    await app.sql('update auth.users set banned_until = null where id = $1', [id]);
  });

  it('is told to owners and operators, and to everybody about themselves', async () => {
    const ask = async (asker: TestUser | undefined, person: string | null) => {
      const { data, error } = await (asker as TestUser).client.rpc('explain_access', { object: board.project, person });
      return error?.code ?? (data as unknown[]).length;
    };
    const { editor, viewer, outsider } = board.people;
    const operator = await app.createUser({ name: 'Opal' });
    await app.sql('update auth.users set is_operator = true where id = $1', [operator.id]);
    expect(await ask(operator, editor.id)).toBe(1);
    expect(await ask(viewer, viewer.id)).toBe(1);
    expect([await ask(viewer, editor.id), await ask(editor, null)]).toEqual(['42501', '42501']);
    expect([await ask(outsider, outsider.id), await ask(outsider, null)]).toEqual(['PT404', 'PT404']);
    expect(await ask(people.owner, '00000000-0000-4000-8000-000000000000')).toBe('PT404');
  });
});

interface Reached {
  readonly project_name: string;
  readonly role: string;
  readonly sees: boolean | null;
  readonly reasons: Explained['reasons'];
  readonly opens: Readonly<Record<string, number>>;
}

describe('reach_of', () => {
  const reach = async (subject: string, asker = board.people.owner) => {
    const { data, error } = await asker.client.rpc('reach_of', { subject });
    return error?.code ?? (data as Reached[]);
  };

  it('lists what a person, a group and links reach, in projects of the one who asks', async () => {
    const { editor, viewer } = board.people;
    const own = await makeProject(app, editor, 'Private of Edda');
    await one(editor.client.rpc('create_calendar_feed', { kind: 'project', project_id: board.project }));
    const names = (found: string | Reached[]) => (found as Reached[]).map(({ project_name }) => project_name);
    const told = (await reach(editor.id)) as Reached[];
    expect(names(told)).not.toContain('Private of Edda');
    expect(told.find(({ opens }) => opens.calendar_feed !== undefined)).toMatchObject({ role: 'editor', sees: true });
    expect(names(await reach(editor.id, editor))).toContain('Private of Edda');
    expect(await reach(group)).toMatchObject([{ role: 'viewer', sees: null, reasons: [{ rule: 'group' }] }]);
    expect(await reach(board.joinLink)).toMatchObject([{ reasons: [{ rule: 'open_join_link' }] }]);
    expect(await reach(board.shareLink)).toMatchObject([
      { sees: true, reasons: [{ rule: 'open_share_link', scope: 'project', by: board.people.owner.id }] },
    ]);
    expect(await reach(board.invitation)).toMatchObject([{ reasons: [{ rule: 'open_invitation' }] }]);
    const denied = [await reach(editor.id, viewer), await reach(board.joinLink, editor), await reach(own.project)];
    expect(denied).toEqual(['PT404', 'PT404', 'PT404']);
  });

  it('counts the restricted tasks that only a name or work on them shows, to owners and to the person', async () => {
    const { owner, editor, viewer } = board.people;
    const { project } = await makeProject(app, owner, 'Closed');
    for (const one of [editor, viewer]) await addMember(app, project, one, 'editor');
    const make = async (more: Record<string, unknown> = {}): Promise<string> =>
      (
        (await one(
          owner.client
            .from('tasks')
            .insert({ project_id: project, title: 'Hidden', ...more })
            .select('id')
            .single(),
        )) as { id: string }
      ).id;
    const [first, second, third] = [await make(), await make(), await make({ is_restricted: true })] as const;
    for (const task_id of [first, third])
      await one(owner.client.from('task_grants').insert({ task_id, user_id: editor.id }).select());
    await one(owner.client.from('task_assignees').insert({ task_id: second, user_id: editor.id }).select());
    await one(owner.client.from('tasks').update({ is_restricted: true }).in('id', [first, second]).select());
    const operator = await app.createUser({ name: 'Opal Operator' });
    await app.sql('update auth.users set is_operator = true where id = $1', [operator.id]);
    const restrictedOf = async (who: TestUser, asker: TestUser) =>
      ((await reach(who.id, asker)) as Reached[])
        .filter(({ project_name }) => project_name === 'Closed')
        .map(({ reasons }) => reasons.flatMap(({ rule, tasks }) => (tasks === undefined ? [] : [`${rule} ${tasks}`])));
    for (const asker of [owner, editor]) expect(await restrictedOf(editor, asker)).toEqual([['named 2', 'assigned 1']]);
    expect(await restrictedOf(viewer, owner)).toEqual([[]]);
    expect(await restrictedOf(editor, operator)).toEqual([[]]);
  });
});

const step = fc.record({
  who: fc.nat(3),
  deed: fc.constantFrom(
    ...(['give', 'change', 'take', 'join', 'leave', 'bring', 'send away'] as const),
    ...(['share', 'end', 'share with group', 'end with group', 'restrict', 'open', 'assign', 'unassign'] as const),
    ...(['make link', 'revoke link'] as const),
  ),
  level: fc.constantFrom('see', 'comment', 'edit'),
  group: fc.nat(1),
  role: fc.constantFrom('viewer', 'editor', 'owner'),
});

interface Holder {
  readonly id: string;
  readonly token: string;
}
/** A service account, which is given and taken what people are, by its key. */
async function makeBot(owner: TestUser): Promise<Holder> {
  const { id } = await one(owner.client.rpc('create_service_account', { name: 'Drawn bot' }));
  const given = { service_account_id: id, name: 'CI', scope: 'write' };
  return { id, token: (await one(owner.client.rpc('create_service_account_key', given))).token };
}
const keyOf = async ({ client }: TestUser, scope: string): Promise<string> =>
  (await one(client.rpc('create_api_key', { name: scope, scope }))).token;
/** What a key leaves of the rights of its person. */
const leftBy = (scope: string, { sees, comments, changes, manages }: ReturnType<typeof rightsOf>) => {
  const mayWrite = scope === 'write';
  return {
    sees,
    comments: comments && scope !== 'read',
    changes: changes && mayWrite,
    manages: manages && mayWrite,
  };
};

describe('after any grants and removals', () => {
  it(`rows are read by those to whom explain_access grants them, and by nobody else (SEED=${seed})`, async () => {
    const { owner } = board.people;
    const persons = [people.outsider, people.left, people.grouped] as [TestUser, TestUser, TestUser];
    const crew: readonly Holder[] = [...persons, await makeBot(owner)];
    const scopes = ['read', 'comment', 'write'] as const;
    const keys = await Promise.all(
      persons.map(async (person, place) => ({ person, token: await keyOf(person, scopes[place] as string) })),
    );
    const links: Holder[] = [];
    const groups = [await makeGroup(app, owner), await makeGroup(app, owner)];
    const { project } = await makeProject(app, owner, 'Drawn');
    const { id: task } = await one(
      owner.client.from('tasks').insert({ project_id: project, title: 'Seen by whom' }).select('id').single(),
    );
    const members = () => owner.client.from('project_members');
    const named = () => owner.client.from('task_grants');
    const assigned = () => owner.client.from('task_assignees');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const { who, deed, group: place, role, level } of steps) {
          const person = { project_id: project, user_id: crew[who]?.id };
          const grouped = { group_id: groups[place], user_id: crew[who]?.id };
          const brought = { project_id: project, group_id: groups[place] };
          // Some change nothing: what is there already is given again, what is not there is taken.
          if (deed === 'give') await members().insert({ ...person, role });
          else if (deed === 'change') await members().update({ role }).match(person);
          else if (deed === 'take') await members().delete().match(person);
          else if (deed === 'join') await owner.client.from('group_members').insert(grouped);
          else if (deed === 'leave') await owner.client.from('group_members').delete().match(grouped);
          else if (deed === 'bring') await members().insert({ ...brought, role });
          else if (deed === 'send away') await members().delete().match(brought);
          else if (deed === 'share') await named().upsert({ ...person, task_id: task, level });
          else if (deed === 'end')
            await named()
              .delete()
              .match({ ...person, task_id: task });
          else if (deed === 'share with group') await named().insert({ ...brought, task_id: task, level });
          else if (deed === 'end with group')
            await named()
              .delete()
              .match({ ...brought, task_id: task });
          else if (deed === 'assign') await assigned().insert({ ...person, task_id: task });
          else if (deed === 'make link')
            // None is made for a restricted task.
            await openedLink(app, owner, { project_id: project, ...(level === 'see' ? {} : { task_id: task }) }).then(
              (link) => links.push(link),
              () => undefined,
            );
          else if (deed === 'revoke link')
            await owner.client.rpc('revoke_share_link', { link_id: links.at(-1)?.id ?? task });
          else if (deed === 'unassign')
            await assigned()
              .delete()
              .match({ ...person, task_id: task });
          else
            await owner.client
              .from('tasks')
              .update({ is_restricted: deed === 'restrict' })
              .eq('id', task);
        }
        for (const user of crew) {
          const [told] = await explain(task, user);
          // Nodes hear in a moment who has become a guest.
          await expect.poll(() => tried(user, { project, task })).toEqual(rightsOf(told as Explained));
          expect(told?.reasons.length === 0).toBe(!told?.sees);
        }
        for (const [place, { person, token }] of keys.entries()) {
          const [told] = await explain(task, person);
          const due = leftBy(scopes[place] as string, rightsOf(told as Explained));
          await expect.poll(() => tried({ token }, { project, task })).toEqual(due);
        }
        const shown = JSON.stringify(await explain(task));
        for (const { id, token } of links.slice(-2)) {
          const sees = shown.includes(id);
          expect(await tried({ token }, { project, task })).toEqual({
            sees,
            comments: false,
            changes: false,
            manages: false,
          });
        }
      }),
      { numRuns: draws(60), endOnFailure: true },
    );
  });
});
