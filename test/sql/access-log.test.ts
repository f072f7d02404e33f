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

  it('for comments of viewers that are allowed and no longer', async () => {
    const allow = (viewers_may_comment: boolean) =>
      one(owner.client.from('projects').update({ viewers_may_comment }).eq('id', project).select());
    const lines = await logged(project, async () => {
      await allow(true);
      await allow(true);
      await allow(false);
    });
    const changes = (from: boolean) => ({
      subject: { kind: 'viewers' },
      change: { viewers_may_comment: { from, to: !from } },
    });
    expect(lines).toMatchObject([changes(false), changes(true)]);
  });

  it('for who becomes an operator, and is one no longer by command, by their end or softly', async () => {
    const made = (id: string) =>
      app.sql('select private.set_operator(email, true) from auth.users where id = $1', [id]);
    const people = await Promise.all(['Opal', 'Otto', 'Ora'].map((name) => app.createUser({ name })));
    const [taken, ended, softly] = people.map(({ id }) => id) as [string, string, string];
    for (const id of [taken, ended, softly]) await made(id);
    await app.sql('select private.set_operator(email, false) from auth.users where id = $1', [taken]);
    await app.sql('delete from auth.users where id = $1', [ended]);
    await app.sql('update auth.users set deleted_at = now() where id = $1', [softly]);
    for (const id of [taken, ended, softly])
      expect(
        await app.sql(
          "select actor_id, project_id, object, change from public.access_log where subject ->> 'id' = $1 and change ? 'operator' order by id",
          [id],
        ),
      ).toEqual(
        [false, true].map((from) => ({
          actor_id: null,
          project_id: null,
          object: { kind: 'server' },
          change: { operator: { from, to: !from } },
        })),
      );
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

  it('keeps no address of an account that has ended, also where the person invited others', async () => {
    const { project } = await shared('Harbour');
    const ends = [
      async ({ client, email }: TestUser) =>
        expect((await client.rpc('delete_my_account', { email })).error).toBeNull(),
      ({ id }: TestUser) => app.sql('update auth.users set deleted_at = now() where id = $1', [id]),
    ];
    for (const end of ends) {
      const claims = { amr: [{ method: 'otp', timestamp: Math.floor(Date.now() / 1000) }] };
      const ivy = await app.createUser({ name: 'Ivy Invited', claims });
      const invitation = { project_id: project, email: ivy.email.toUpperCase(), role: 'owner' };
      const { id } = await one(owner.client.from('project_invitations').insert(invitation).select('id').single());
      await one(ivy.client.rpc('join_project', { invitation_id: id }));
      const further = { project_id: project, email: `kim.${ivy.id}@example.test`, role: 'viewer', invited_by: ivy.id };
      await one(ivy.client.from('project_invitations').insert(further).select());
      await end(ivy);
      const emails = (await linesOf(project)).map(({ subject }) => subject.email ?? null);
      expect(emails).toContain(further.email);
      expect(emails).not.toContain(invitation.email);
    }
  });

  it('is in the copy of one’s data, with one’s own addresses alone', async () => {
    const { project } = await shared('Harbour');
    await one(
      owner.client
        .from('project_members')
        .update({ role: 'viewer' })
        .eq('project_id', project)
        .eq('user_id', editor.id)
        .select(),
    );
    const mine = async ({ client }: TestUser) =>
      ((await one(client.rpc('export_my_data'))) as { access: { object: { id: string } }[] }).access
        .filter(({ object }) => object.id === project)
        .at(-1);
    const line = { object: { kind: 'project', id: project, name: 'Harbour' }, change: role('editor', 'viewer') };
    expect(await mine(owner)).toMatchObject({ ...line, by_me: true, about_me: false, address: '127.0.0.1' });
    expect(await mine(editor)).toMatchObject({ ...line, by_me: false, about_me: true, address: null });
  });

  it('is given in pages with names, by name and kind', async () => {
    const { project } = await shared('Harbour');
    const gus = await app.createUser({ name: 'Gus 100%' });
    await one(
      owner.client.from('project_members').insert({ project_id: project, user_id: gus.id, role: 'viewer' }).select(),
    );
    await one(owner.client.from('project_members').delete().eq('project_id', project).eq('user_id', gus.id).select());
    const invitation = { project_id: project, email: 'new@example.test', role: 'viewer' };
    await one(owner.client.from('project_invitations').insert(invitation).select());
    const page = async (given: object) =>
      (await one(owner.client.rpc('access_log_page', { project_id: project, ...given }))) as {
        readonly id: string;
        readonly kind: string;
        readonly actor: string;
        readonly subject: { readonly name: string | null };
      }[];
    const whole = await page({});
    expect(whole.map(({ kind, actor, subject }) => [kind, actor, subject.name])).toEqual([
      ['invitations', 'Olga Owner', null],
      ['people', 'Olga Owner', 'Gus 100%'],
      ['people', 'Olga Owner', 'Gus 100%'],
      ['people', null, 'Edda Editor'],
      ['people', 'Olga Owner', 'Olga Owner'],
    ]);
    expect(await page({ words: '0%' })).toEqual(whole.slice(1, 3));
    expect(await page({ words: 'NEW@', kind: 'invitations' })).toEqual(whole.slice(0, 1));
    expect(await page({ words: 'NEW@', kind: 'people' })).toEqual([]);
    expect(await page({ before: whole[1]?.id, size: 2 })).toEqual(whole.slice(2, 4));
  });
});
