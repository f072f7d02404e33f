// Join links: made, copied, counted, replaced, turned off, expired, and held to roles, confirmed addresses and the plan.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../helpers/app.ts';
import { addMember, makeProject, one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor, shared } = startTogether();

interface Link {
  readonly id: string;
  readonly token: string;
  readonly expires_at: string | null;
}
const create = async (project: string, more: object = {}, by = owner): Promise<Link> =>
  one(by.client.rpc('create_join_link', { project_id: project, ...more }));
const join = ({ client }: TestUser, token: string) => client.rpc('join_by_link', { token });
const details = async (token: string, client = app.client()) => one(client.rpc('join_link_details', { token }));
const linksOf = async (project: string, { client } = owner) =>
  one(client.from('join_links').select('id, joined_count, revoked_at').eq('project_id', project).order('created_at'));
const roleOf = async (project: string, { id }: TestUser) =>
  (await app.sql('select role from public.project_members where project_id = $1 and user_id = $2', [project, id]))[0];

describe('a join link', () => {
  it('lets in who opens it, counts them, and is a line of the history of the project', async () => {
    const { project } = await shared('Harbour');
    const link = await create(project, { role: 'editor' });
    expect(link).toMatchObject({ project_id: project, role: 'editor', created_by: owner.id, joined_count: 0 });
    expect(Date.parse(link.expires_at ?? '') - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    const stored = await app.sql(
      `select to_jsonb(l)::text || encode(t.token_hash, 'escape') as text
       from public.join_links l join private.join_link_tokens t on t.link_id = l.id where l.project_id = $1`,
      [project],
    );
    expect(JSON.stringify(stored)).not.toContain(link.token);
    expect(link.token).toMatch(/^[\w-]{43}$/);
    expect(await details(link.token)).toEqual({
      state: 'open',
      project_id: null,
      project_name: 'Harbour',
      project_color: null,
      role: 'editor',
      expires_at: link.expires_at,
      inviter_name: 'Olga Owner',
      inviter_avatar_url: null,
    });

    const guest = await app.createUser({ name: 'Guest' });
    expect(await one(join(guest, link.token).single())).toMatchObject({ project_id: project, role: 'editor' });
    expect(await linksOf(project)).toMatchObject([{ id: link.id, joined_count: 1 }]);
    expect(
      await one(guest.client.from('task_activity').select('kind, actor_id, change').eq('project_id', project)),
    ).toEqual([
      {
        kind: 'updated',
        actor_id: guest.id,
        change: {
          member: { id: guest.id, name: 'Guest', from: null, to: { role: 'editor', join_link_id: link.id } },
        },
      },
    ]);
  });

  it('leaves a member what they are, and does not count them', async () => {
    const { project } = await shared('Members');
    const link = await create(project, { role: 'viewer' });
    expect(await details(link.token, editor.client)).toMatchObject({ state: 'member', project_id: project });
    expect(await one(join(editor, link.token).single())).toMatchObject({ role: 'editor' });
    const guest = await app.createUser({ name: 'Guest' });
    const answers = await Promise.all(Array.from({ length: 4 }, () => join(guest, link.token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await linksOf(project)).toMatchObject([{ joined_count: 1 }]);
  });

  it('is made, seen, copied and turned off by owners alone, and makes none', async () => {
    const { project } = await shared('Rights');
    const link = await create(project);
    const outsider = await app.createUser({ name: 'Outsider' });
    for (const [{ client }, status] of [
      [editor, 403],
      [outsider, 404],
    ] as const) {
      expect(await one(client.from('join_links').select())).toEqual([]);
      expect((await client.rpc('create_join_link', { project_id: project })).status).toBe(status);
      expect((await client.rpc('join_link_token', { link_id: link.id })).status).toBe(404);
      expect((await client.rpc('revoke_join_link', { link_id: link.id })).status).toBe(404);
    }
    expect((await app.client().from('join_links').select()).data).toEqual([]);
    for (const wrong of [{ role: 'owner' }, { role: null }, { days: 0 }, { days: 366 }])
      expect(await owner.client.rpc('create_join_link', { project_id: project, ...wrong })).toMatchObject({
        status: 400,
        error: { code: '22023' },
      });
    expect((await details(link.token)).state).toBe('open');
  });

  it('is copied by another token, and all of them end with it', async () => {
    const { project } = await shared('Copies');
    const link = await create(project);
    const copy: string = await one(owner.client.rpc('join_link_token', { link_id: link.id }));
    expect(copy).not.toBe(link.token);
    expect((await details(copy)).state).toBe('open');
    expect((await owner.client.rpc('revoke_join_link', { link_id: link.id })).error).toBeNull();
    const guest = await app.createUser({ name: 'Guest' });
    for (const token of [link.token, copy]) {
      expect(await details(token)).toEqual({ state: 'revoked' });
      expect(await join(guest, token)).toMatchObject({ status: 409, error: { code: 'KB019', details: 'revoked' } });
    }
    expect((await owner.client.rpc('join_link_token', { link_id: link.id })).status).toBe(404);
    expect(await roleOf(project, guest)).toBeUndefined();
  });

  it('is replaced by the next one at once, also when two are made together', async () => {
    const { project } = await shared('Reset');
    const before = await create(project, { days: null });
    expect(before.expires_at).toBeNull();
    const made = await Promise.all([create(project), create(project), create(project)]);
    expect(await details(before.token)).toEqual({ state: 'revoked' });
    const open = (await linksOf(project)).filter(({ revoked_at: ended }) => ended === null);
    expect(open).toHaveLength(1);
    const states = await Promise.all(made.map(async ({ token }) => (await details(token)).state));
    expect(states.sort()).toEqual(['open', 'revoked', 'revoked']);
    for (let times = 0; times < 20; times += 1) await create(project);
    expect(await linksOf(project)).toHaveLength(20);
    expect(await app.client().rpc('join_link_details', { token: before.token })).toMatchObject({ status: 404 });
  });

  it('tells that it expired, that the project is archived, and nothing of a deleted one', async () => {
    const { project } = await shared('Over');
    const guest = await app.createUser({ name: 'Guest' });
    const link = await create(project);
    const refusal = async () => (await join(guest, link.token)).error;
    await one(
      owner.client.from('projects').update({ archived_at: new Date().toISOString() }).eq('id', project).select(),
    );
    expect(await details(link.token)).toMatchObject({ state: 'archived', project_name: 'Over' });
    expect(await refusal()).toMatchObject({ code: 'KB019', details: 'archived' });
    await one(owner.client.from('projects').update({ archived_at: null }).eq('id', project).select());
    await app.sql(`update public.join_links set expires_at = now() - interval '1 second' where id = $1`, [link.id]);
    expect(await details(link.token)).toMatchObject({ state: 'expired', project_name: 'Over' });
    expect(await refusal()).toMatchObject({ code: 'KB019', details: 'expired' });
    const next = await create(project);
    await one(owner.client.from('projects').delete().eq('id', project).select());
    expect(await app.client().rpc('join_link_details', { token: next.token })).toMatchObject({ status: 404 });
    expect((await join(guest, next.token)).status).toBe(404);
    await one(owner.client.rpc('restore_project', { project_id: project }));
    expect((await join(guest, next.token)).status).toBe(200);
  });

  it('needs a confirmed address', async () => {
    const { project } = await shared('Confirmed');
    const { token } = await create(project);
    const guest = await app.createUser({ name: 'Guest' });
    await app.sql('update auth.users set email_confirmed_at = null where id = $1', [guest.id]);
    expect(await join(guest, token)).toMatchObject({ status: 403, error: { code: 'KB007' } });
    await app.sql('update auth.users set email_confirmed_at = now() where id = $1', [guest.id]);
    expect((await join(guest, token)).status).toBe(200);
    expect(await app.client().rpc('join_by_link', { token })).toMatchObject({ status: 401 });
  });

  it('accepts an invitation that waits for the same person, in the higher role', async () => {
    const { project } = await shared('Both');
    const { token } = await create(project, { role: 'viewer' });
    const guest = await app.createUser({ name: 'Guest' });
    await one(owner.client.rpc('invite_member', { project_id: project, email: guest.email, role: 'editor' }));
    expect(await one(join(guest, token).single())).toMatchObject({ role: 'editor' });
    const invitations = owner.client.from('project_invitations').select('accepted_at').eq('project_id', project);
    expect(await one(invitations)).toEqual([{ accepted_at: expect.any(String) }]);
    expect(await one(guest.client.from('notifications').select('kind'))).toEqual([]);
  });

  it('ends as its author stops owning the project, or may no longer sign in', async () => {
    const { project } = await makeProject(app, owner, 'Handed over');
    const former = await app.createUser({ name: 'Former' });
    const member = { project_id: project, user_id: former.id };
    await addMember(app, project, former, 'owner');
    const first = await create(project, {}, former);
    await one(owner.client.from('project_members').update({ role: 'editor' }).match(member).select());
    expect(await details(first.token)).toEqual({ state: 'revoked' });
    await one(owner.client.from('project_members').update({ role: 'owner' }).match(member).select());
    expect(await details(first.token)).toEqual({ state: 'revoked' });
    const second = await create(project, {}, former);
    await app.sql(`update auth.users set banned_until = now() + interval '1 hour' where id = $1`, [former.id]);
    expect(await details(second.token)).toEqual({ state: 'revoked' });
    await app.sql('update auth.users set banned_until = null where id = $1', [former.id]);
    expect((await details(second.token)).state).toBe('open');
    expect((await app.client({ key: app.serviceKey }).auth.admin.deleteUser(former.id)).error).toBeNull();
    expect(await details(second.token)).toEqual({ state: 'revoked' });
  });

  it('is made and copied two hundred times an hour at most', async () => {
    const busy = await app.createUser({ name: 'Busy' });
    const { project } = await makeProject(app, busy, 'Busy');
    const link = await create(project, {}, busy);
    await app.sql(`update private.limits set points = 0 where key = 'join links of ' || $1`, [busy.id]);
    expect((await busy.client.rpc('join_link_token', { link_id: link.id })).status).toBe(429);
    expect((await busy.client.rpc('create_join_link', { project_id: project })).status).toBe(429);
    expect((await details(link.token)).state).toBe('open');
  });
});

describe('under a plan', () => {
  beforeAll(async () => {
    await app.sql(
      `insert into billing.plans (price_id, name, limits, is_enforced) values ('free', 'Free', '{"members_per_project": 3}', true)
       on conflict (price_id) do update set limits = excluded.limits, is_enforced = true`,
    );
  });
  afterAll(async () => {
    await app.sql(`update billing.plans set is_enforced = false where price_id = 'free'`);
  });

  it('one of two who join at once has the last place, and the other learns why not', async () => {
    const { project } = await shared('Nearly full');
    const link = await create(project);
    const guests = [await app.createUser({ name: 'One' }), await app.createUser({ name: 'Two' })];
    const answers = await Promise.all(guests.map((guest) => join(guest, link.token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402]);
    expect(answers.find(({ status }) => status === 402)?.error).toMatchObject({
      code: 'PT402',
      details: 'members_per_project: 3',
    });
    expect(await details(link.token)).toMatchObject({ state: 'full', project_name: 'Nearly full' });
    expect(await linksOf(project)).toMatchObject([{ joined_count: 1 }]);
  });
});
