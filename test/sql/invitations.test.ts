// Invitations: mailed, accepted, renewed, withdrawn, and how many may be sent.

import { describe, expect, it } from 'vitest';
import { addMember, makeProject, one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor } = startTogether();

describe('invitations', () => {
  const token = async (project: string, email: string, role = 'editor') => {
    const invitation = await one(owner.client.rpc('invite_member', { project_id: project, email, role }));
    return invitation.token as string;
  };

  it('are mailed, kept as a hash, and let in the invited once', async () => {
    const { project } = await makeProject(app, owner, 'Invited');
    const guest = await app.createUser({ name: 'Guest', email: 'Guest.One@example.test' });
    const invitation = await one(
      owner.client.rpc('invite_member', { project_id: project, email: 'guest.one@example.test', role: 'editor' }),
    );
    expect(invitation).toMatchObject({ project_id: project, role: 'editor', email: 'guest.one@example.test' });
    const stored = await app.sql(
      `select to_jsonb(i)::text || coalesce(encode(t.token_hash, 'escape'), '') as text
       from public.project_invitations i join private.invitation_tokens t on t.invitation_id = i.id where i.project_id = $1`,
      [project],
    );
    expect(JSON.stringify(stored)).not.toContain(invitation.token);
    const [letter] = await app.sql(`select data from private.outbox where recipient = 'guest.one@example.test'`);
    expect(letter).toEqual({
      data: {
        ...{ project_name: 'Invited', inviter_name: 'Olga Owner', role: 'editor', task: null, level: null },
        invitation_id: invitation.id,
      },
    });
    expect(await one(guest.client.from('notifications').select('kind, data').single())).toMatchObject({
      kind: 'invited',
      data: { project_name: 'Invited', role: 'editor' },
    });

    expect(await editor.client.rpc('accept_invitation', { token: invitation.token })).toMatchObject({
      status: 403,
      error: { message: expect.stringContaining('another address') },
    });
    expect(await one(guest.client.rpc('accept_invitation', { token: invitation.token }).single())).toMatchObject({
      project_id: project,
      user_id: guest.id,
      role: 'editor',
    });
    expect(await guest.client.rpc('accept_invitation', { token: invitation.token })).toMatchObject({ status: 404 });
    expect(
      await owner.client.rpc('invite_member', { project_id: project, email: 'guest.one@example.test', role: 'owner' }),
    ).toMatchObject({ status: 409, error: { code: 'KB005' } });
  });

  it('work for who signs up later, once their address is verified, and race for nobody', async () => {
    const { project } = await makeProject(app, owner, 'Later');
    const key = await token(project, 'later@example.test');
    const later = await app.createUser({ name: 'Later', email: 'later@example.test' });
    await app.sql('update auth.users set email_confirmed_at = null where id = $1', [later.id]);
    expect(await later.client.rpc('accept_invitation', { token: key })).toMatchObject({
      status: 403,
      error: { code: 'KB007' },
    });
    await app.sql('update auth.users set email_confirmed_at = now() where id = $1', [later.id]);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => later.client.rpc('accept_invitation', { token: key })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  it('expire, are renewed by inviting again, and can be withdrawn', async () => {
    const { project } = await makeProject(app, owner, 'Expiry');
    const guest = await app.createUser({ name: 'Guest', email: 'expiry@example.test' });
    const first = await token(project, guest.email);
    await app.sql(
      `update public.project_invitations set expires_at = now() - interval '1 second' where project_id = $1`,
      [project],
    );
    expect((await guest.client.rpc('accept_invitation', { token: first })).status).toBe(404);
    const second = await token(project, guest.email, 'viewer');
    expect((await guest.client.rpc('accept_invitation', { token: first })).status).toBe(404);
    await owner.client.from('project_invitations').delete().eq('project_id', project);
    expect((await guest.client.rpc('accept_invitation', { token: second })).status).toBe(404);
    const third = await token(project, guest.email, 'viewer');
    expect((await guest.client.rpc('accept_invitation', { token: third })).status).toBe(200);
  });
});

describe('a link', () => {
  const open = async (name: string, email: string, role = 'editor') => {
    const { project } = await makeProject(app, owner, name);
    const invitation = await one(owner.client.rpc('invite_member', { project_id: project, email, role }));
    return { project, id: invitation.id as string, token: invitation.token as string };
  };

  it('of an open invitation is made again for owners, and the ones before go on working', async () => {
    const guest = await app.createUser({ name: 'Guest', email: 'links@example.test' });
    const { project, id, token } = await open('Links', guest.email);
    await addMember(app, project, editor, 'editor');
    const another = await one(owner.client.rpc('invitation_token', { invitation_id: id }));
    expect(another).not.toBe(token);
    expect(
      await app.sql('select encode(token_hash, $1) as h from private.invitation_tokens', ['escape']),
    ).not.toContain(another);
    for (const link of [token, another])
      expect(await one(guest.client.rpc('invitation_details', { token: link }))).toMatchObject({
        project_name: 'Links',
      });
    expect((await editor.client.rpc('invitation_token', { invitation_id: id })).status).toBe(403);
    expect((await guest.client.rpc('invitation_token', { invitation_id: id })).status).toBe(404);
    expect((await guest.client.rpc('accept_invitation', { token })).error).toBeNull();
    expect((await owner.client.rpc('invitation_token', { invitation_id: id })).status).toBe(404);
    expect((await guest.client.rpc('invitation_details', { token: another })).status).toBe(404);
  });

  it('of which the newest twenty work', async () => {
    const { id, token } = await open('Many links', 'many@example.test');
    for (let times = 0; times < 20; times += 1) await one(owner.client.rpc('invitation_token', { invitation_id: id }));
    expect(
      await app.sql('select count(*)::int as n from private.invitation_tokens where invitation_id = $1', [id]),
    ).toEqual([{ n: 20 }]);
    expect((await owner.client.rpc('invitation_details', { token })).status).toBe(404);
  });

  it('says without an account who invites whom to what, and nothing once it is void', async () => {
    const { project, token } = await open('Told', 'told@example.test', 'viewer');
    expect(await one(app.client().rpc('invitation_details', { token }))).toEqual({
      email: 'told@example.test',
      role: 'viewer',
      task: null,
      level: null,
      expires_at: expect.any(String),
      project_name: 'Told',
      project_color: null,
      inviter_name: 'Olga Owner',
      inviter_avatar_url: null,
    });
    expect(await app.client().rpc('invitation_details', { token: 'made up' })).toMatchObject({ status: 404 });
    await owner.client.from('project_invitations').delete().eq('project_id', project);
    expect(await app.client().rpc('invitation_details', { token })).toMatchObject({ status: 404 });
  });

  it('is not needed by who has an account with the address: nobody else joins so', async () => {
    const guest = await app.createUser({ name: 'Guest', email: 'inbox@example.test' });
    const { project, id } = await open('By inbox', guest.email);
    expect((await editor.client.rpc('join_project', { invitation_id: id })).status).toBe(404);
    await app.sql('update auth.users set email_confirmed_at = null where id = $1', [guest.id]);
    expect((await guest.client.rpc('join_project', { invitation_id: id })).status).toBe(403);
    await app.sql('update auth.users set email_confirmed_at = now() where id = $1', [guest.id]);
    expect(await one(guest.client.rpc('join_project', { invitation_id: id }).single())).toMatchObject({
      project_id: project,
      user_id: guest.id,
      role: 'editor',
    });
    expect((await guest.client.rpc('join_project', { invitation_id: id })).status).toBe(404);
    expect(await one(guest.client.from('notifications').select('kind'))).toEqual([]);
  });
});

describe('a person who invites others', () => {
  it('brings nobody in once they own the project no more', async () => {
    const { project } = await makeProject(app, owner, 'Handed over');
    const former = await app.createUser({ name: 'Former' });
    await addMember(app, project, former, 'owner');
    const guest = await app.createUser({ name: 'Guest' });
    const invite = { project_id: project, email: guest.email, role: 'owner' };
    const { token } = await one(former.client.rpc('invite_member', invite));
    await one(
      owner.client
        .from('project_members')
        .update({ role: 'editor' })
        .match({ project_id: project, user_id: former.id })
        .select(),
    );
    expect(await guest.client.rpc('accept_invitation', { token })).toMatchObject({ status: 404 });
    await owner.client.from('project_members').delete().match({ project_id: project, user_id: former.id });
    expect(await guest.client.rpc('accept_invitation', { token })).toMatchObject({ status: 404 });
    const again = await one(owner.client.rpc('invite_member', invite));
    expect((await guest.client.rpc('accept_invitation', { token: again.token })).error).toBeNull();
  });

  it('takes what nobody accepted along when their account ends, and leaves what was accepted', async () => {
    const { project } = await makeProject(app, owner, 'Left behind');
    const former = await app.createUser({ name: 'Former' });
    const guest = await app.createUser({ name: 'Guest' });
    const joined = await app.createUser({ name: 'Joined' });
    await addMember(app, project, former, 'owner');
    const invite = async (email: string) =>
      one(former.client.rpc('invite_member', { project_id: project, email, role: 'owner' }));
    const { id, token } = await invite(guest.email);
    await one(joined.client.rpc('accept_invitation', { token: (await invite(joined.email)).token }).single());
    await owner.client.from('project_members').delete().match({ project_id: project, user_id: former.id });
    expect((await app.client({ key: app.serviceKey }).auth.admin.deleteUser(former.id)).error).toBeNull();
    expect((await guest.client.rpc('accept_invitation', { token })).status).toBe(404);
    expect((await guest.client.rpc('join_project', { invitation_id: id })).status).toBe(404);
    expect(
      await one(owner.client.from('project_invitations').select('email, invited_by').eq('project_id', project)),
    ).toEqual([{ email: joined.email, invited_by: null }]);
  });

  it('sends five letters an hour to one address, whoever asks, and fifty invitations in all', async () => {
    const busy = await app.createUser({ name: 'Busy' });
    const { project } = await makeProject(app, busy, 'Crowd');
    const invite = (email: string, as = busy, to = project) =>
      as.client.rpc('invite_member', { project_id: to, email, role: 'viewer' });
    for (let time = 0; time < 7; time += 1) expect((await invite('often@example.test')).error).toBeNull();
    const elsewhere = await makeProject(app, owner, 'Elsewhere');
    expect((await invite('OFTEN@example.test', owner, elsewhere.project)).error).toBeNull();
    const letters = await app.sql(`select id from private.outbox where lower(recipient) = 'often@example.test'`);
    expect(letters).toHaveLength(5);

    for (let guest = 7; guest < 50; guest += 1) expect((await invite(`guest${guest}@example.test`)).error).toBeNull();
    expect(await invite('one.more@example.test')).toMatchObject({
      status: 429,
      error: { code: 'PT429', hint: expect.stringContaining('50 invitations an hour') },
    });
    const posted = await busy.client
      .from('project_invitations')
      .insert({ project_id: project, email: 'b@example.test' });
    expect(posted.status).toBe(429);
    expect(await app.sql(`select id from private.outbox where recipient = 'b@example.test'`)).toEqual([]);
  });
});
