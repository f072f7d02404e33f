// The access log: who gave whom what, from where, read by owners and operators, written by nobody.

import { beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../helpers/app.ts';
import { makeGroup, one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor, shared } = startTogether();

interface Line {
  readonly actor_id: string | null;
  readonly subject: Readonly<Record<string, string>>;
  readonly object: Readonly<Record<string, string>>;
  readonly change: Readonly<Record<string, unknown>>;
  readonly address: string | null;
}
const linesOf = async (project: string, { client } = owner) =>
  (await one(
    client
      .from('access_log')
      .select('actor_id, subject, object, change, address')
      .eq('project_id', project)
      .order('id'),
  )) as readonly Line[];
/** Of what happened in between. */
async function logged(project: string, work: () => Promise<unknown>): Promise<readonly Line[]> {
  const before = (await linesOf(project)).length;
  await work();
  return (await linesOf(project)).slice(before);
}
const role = (from: string | null, to: string | null) => ({ role: { from, to } });

describe('a line is written', () => {
  let project: string;
  let gus: TestUser;
  beforeAll(async () => {
    ({ project } = await shared('Harbour'));
    gus = await app.createUser({ name: 'Gus Guest' });
  });
  const members = () => owner.client.from('project_members');

  it('for each role that a person is given, changed and taken from', async () => {
    const lines = await logged(project, async () => {
      await one(members().insert({ project_id: project, user_id: gus.id, role: 'viewer' }).select());
      await one(members().update({ role: 'editor' }).eq('project_id', project).eq('user_id', gus.id).select());
      await one(gus.client.rpc('leave_project', { project_id: project }).then((answer) => ({ ...answer, data: true })));
    });
    const who = { subject: { kind: 'person', id: gus.id }, object: { kind: 'project', id: project, name: 'Harbour' } };
    expect(lines).toEqual([
      { ...who, actor_id: owner.id, change: role(null, 'viewer'), address: '127.0.0.1' },
      { ...who, actor_id: owner.id, change: role('viewer', 'editor'), address: '127.0.0.1' },
      { ...who, actor_id: gus.id, change: role('editor', null), address: '127.0.0.1' },
    ]);
  });

  it('for a group once, however many it brings, and for each who joins or leaves it later', async () => {
    const group = await makeGroup(app, owner);
    const subject = { kind: 'person', id: gus.id };
    const lines = await logged(project, async () => {
      await one(members().insert({ project_id: project, group_id: group, role: 'editor' }).select());
      await one(owner.client.from('group_members').insert({ group_id: group, user_id: gus.id }).select());
      await one(owner.client.from('group_members').delete().eq('group_id', group).eq('user_id', gus.id).select());
      await one(members().delete().eq('project_id', project).eq('group_id', group).select());
    });
    const through = { id: group, name: expect.stringContaining('Crew') };
    expect(lines).toMatchObject([
      { subject: { kind: 'group', id: group }, change: role(null, 'editor') },
      { subject, change: { ...role(null, 'editor'), through } },
      { subject, change: { ...role('editor', null), through } },
      { subject: { kind: 'group', id: group }, change: role('editor', null) },
    ]);
    expect(
      await app.sql(
        "select change from public.access_log where project_id is null and object ->> 'id' = $1 order by id",
        [group],
      ),
    ).toMatchObject([
      { change: { member: { from: false, to: true } } },
      {},
      { change: { member: { from: true, to: false } } },
    ]);
  });

  it('for invitations and join links', async () => {
    const lines = await logged(project, async () => {
      const invitation = { project_id: project, email: 'new@example.test', role: 'viewer' };
      const { id } = await one(owner.client.from('project_invitations').insert(invitation).select('id').single());
      await one(owner.client.from('project_invitations').delete().eq('id', id).select());
      const link = await one(owner.client.rpc('create_join_link', { project_id: project, role: 'editor' }));
      await owner.client.rpc('revoke_join_link', { link_id: (link as { id: string }).id });
    });
    expect(lines).toMatchObject([
      { subject: { kind: 'invitation', email: 'new@example.test' }, change: role(null, 'viewer') },
      { subject: { kind: 'invitation', email: 'new@example.test' }, change: role('viewer', null) },
      { subject: { kind: 'join_link' }, change: role(null, 'editor') },
      { subject: { kind: 'join_link' }, change: role('editor', null) },
    ]);
  });

  it('but not for what changes nothing, nor for a project that is deleted and restored', async () => {
    const lines = await logged(project, async () => {
      await one(members().update({ role: 'editor' }).eq('project_id', project).eq('user_id', editor.id).select());
      await one(owner.client.from('projects').delete().eq('id', project).select());
      await one(owner.client.rpc('restore_project', { project_id: project }));
    });
    expect(lines).toEqual([]);
  });
});

describe('the log', () => {
  it('is read by owners of the project and by operators, as JSON and CSV, and by nobody else', async () => {
    const { project } = await shared('Harbour');
    const op = await app.createUser({ name: 'Opal Operator' });
    expect((await linesOf(project)).length).toBe(2);
    expect([await linesOf(project, editor), await linesOf(project, op)]).toEqual([[], []]);
    await app.sql('update auth.users set is_operator = true where id = $1', [op.id]);
    expect((await linesOf(project, op)).length).toBe(2);
    const csv = await owner.client.from('access_log').select('subject').eq('project_id', project).csv();
    expect(csv.data).toContain(editor.id);
  });

  it('outlives the project, for operators', async () => {
    const { project } = await shared('Harbour');
    await app.sql('delete from public.projects where id = $1', [project]);
    const [{ n }] = (await app.sql<{ n: number }>(
      "select count(*)::int as n from public.access_log where project_id is null and object ->> 'id' = $1",
      [project],
    )) as [{ n: number }];
    expect(n).toBe(2);
  });
});
