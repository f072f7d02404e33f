// Buckets of the app: rights on attachments and avatars, also by an upload link.

import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestUser } from '../helpers/app.ts';
import { onEachStore, textOf } from './each-store.ts';

onEachStore((here) => {
  let owner: TestUser;
  let viewer: TestUser;
  let stranger: TestUser;
  let project: string;
  let task: string;

  beforeAll(async () => {
    owner = await here.app.createUser({ name: 'Olga' });
    viewer = await here.app.createUser({ name: 'Vera' });
    stranger = await here.app.createUser({ name: 'Sten' });
    const made = await owner.client.rpc('create_project_with_defaults', { name: 'Files' });
    project = (made.data as { id: string }).id;
    await here.app.sql(`insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      project,
      viewer.id,
    ]);
  });

  beforeEach(async () => {
    const row = { project_id: project, title: 'With files' };
    const { data } = await owner.client.from('tasks').insert(row).select('id').single();
    task = (data as { id: string }).id;
  });

  const path = (name: string) => `${project}/${task}/${name}`;

  describe('the bucket attachments', () => {
    test('is written by owners and editors, read by members, and closed to everyone else', async () => {
      const by = ({ client }: TestUser) => client.storage.from('attachments');
      const denied = { statusCode: '403', message: 'new row violates row-level security policy' };
      expect((await by(owner).upload(path('a.txt'), 'a')).error).toBeNull();
      expect((await by(viewer).upload(path('v.txt'), 'v')).error).toMatchObject(denied);
      expect((await by(stranger).upload(path('s.txt'), 's')).error).toMatchObject(denied);
      expect((await here.app.client().storage.from('attachments').upload(path('n.txt'), 'n')).error).toMatchObject(
        denied,
      );
      expect((await by(viewer).upload(path('a.txt'), 'v', { upsert: true })).error).toMatchObject(denied);

      expect(await textOf((await by(viewer).download(path('a.txt'))).data)).toBe('a');
      expect((await by(stranger).download(path('a.txt'))).error).not.toBeNull();
      expect((await by(stranger).info(path('a.txt'))).error).toMatchObject({ statusCode: '404' });
      expect((await by(stranger).list(`${project}/${task}`)).data).toEqual([]);
      expect((await by(stranger).createSignedUrl(path('a.txt'), 60)).error).toMatchObject({ statusCode: '404' });
      expect((await by(viewer).createSignedUrl(path('a.txt'), 60)).error).toBeNull();

      for (const who of [viewer, stranger]) {
        expect((await by(who).remove([path('a.txt')])).data).toEqual([]);
        expect((await by(who).move(path('a.txt'), path('m.txt'))).error).not.toBeNull();
        expect((await by(who).copy(path('a.txt'), path('c.txt'))).error).not.toBeNull();
      }
      expect(await textOf((await by(owner).download(path('a.txt'))).data)).toBe('a');
      expect((await by(owner).remove([path('a.txt')])).data).toMatchObject([{ name: path('a.txt') }]);
      await here.expectAgreement();
    });

    test('takes nothing beside the tasks of a project', async () => {
      const attachments = owner.client.storage.from('attachments');
      for (const name of [`${project}/${randomUUID()}/x`, `${randomUUID()}/${task}/x`, `${project}/x`, 'x'])
        expect((await attachments.upload(name, 'x')).error, name).toMatchObject({ statusCode: '403' });
      const other = await stranger.client.rpc('create_project_with_defaults', { name: 'Other' });
      const foreign = `${(other.data as { id: string }).id}/${task}/x`;
      expect((await stranger.client.storage.from('attachments').upload(foreign, 'x')).error).toMatchObject({
        statusCode: '403',
      });
    });
  });

  describe('a link for an upload', () => {
    test('writes as the one who asked, once, and not when they may no longer', async () => {
      const attachments = owner.client.storage.from('attachments');
      const { data } = await attachments.createSignedUploadUrl(path('signed.txt'));
      const anonymous = here.app.client().storage.from('attachments');
      const upload = () => anonymous.uploadToSignedUrl(path('signed.txt'), data?.token ?? '', 'x');
      expect((await upload()).error).toBeNull();
      expect((await upload()).error).toMatchObject({ statusCode: '409' });
      expect((await attachments.info(path('signed.txt'))).error).toBeNull();

      const editor = await here.app.createUser({ name: 'Edda' });
      await here.app.sql(`insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
        project,
        editor.id,
      ]);
      const link = await editor.client.storage.from('attachments').createSignedUploadUrl(path('late.txt'));
      await here.app.sql('delete from project_members where user_id = $1', [editor.id]);
      expect((await anonymous.uploadToSignedUrl(path('late.txt'), link.data?.token ?? '', 'x')).error).toMatchObject({
        statusCode: '400',
        message: 'The session that created this link has ended',
      });
    });

    test('ends with the session it was asked for in, and with the account', async () => {
      const session = randomUUID();
      const left = await here.app.createUser({ name: 'Lena', claims: { session_id: session } });
      await here.app.sql('insert into auth.sessions (id, user_id) values ($1, $2)', [session, left.id]);
      const banned = await here.app.createUser({ name: 'Bea' });
      await here.app.sql(
        `insert into project_members (project_id, user_id, role) values ($1, $2, 'editor'), ($1, $3, 'editor')`,
        [project, left.id, banned.id],
      );
      const links = [left, banned].map(async ({ client, name }) => ({
        file: path(`${name}.txt`),
        link: await client.storage.from('attachments').createSignedUploadUrl(path(`${name}.txt`), { upsert: true }),
      }));
      const upload = async () => {
        const anonymous = here.app.client().storage.from('attachments');
        const sent = (await Promise.all(links)).map(({ file, link }) =>
          anonymous.uploadToSignedUrl(file, link.data?.token ?? '', 'x', { upsert: true }),
        );
        return (await Promise.all(sent)).map(({ error }) => error?.message ?? null);
      };
      expect(await upload()).toEqual([null, null]);
      await here.app.sql('delete from auth.sessions where id = $1', [session]);
      await here.app.sql(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [banned.id]);
      const ended = 'The session that created this link has ended';
      expect(await upload()).toEqual([ended, ended]);
    });
  });

  describe('signed URLs', () => {
    const signed = async ({ client }: Pick<TestUser, 'client'>, bucket: string, name: string, seconds = 600) =>
      (await client.storage.from(bucket).createSignedUrl(name, seconds)).data?.signedUrl ?? '';
    const read = async (url: string) => {
      const answer = await fetch(url);
      const text = await answer.text();
      return answer.ok ? text : (JSON.parse(text) as { code: string }).code;
    };
    const lifetimeOf = (url: string): number => {
      const [, claims = ''] = (new URL(url).searchParams.get('token') ?? '').split('.');
      const { iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iat: number; exp: number };
      return exp - iat;
    };
    const end = ({ token }: Pick<TestUser, 'token'>, bucket: string, name: string) =>
      here.app.call('DELETE', `/storage/v1/object/sign/${bucket}/${name}`, undefined, token);

    test('into buckets of the app live a day at most, into others as long as they say, up to a setting', async () => {
      await owner.client.storage.from('attachments').upload(path('a.txt'), 'a');
      await here.service.storage.from('closed').upload('life.txt', 'a', { upsert: true });
      const [year, century] = [365 * 86_400, 100 * 365 * 86_400];
      const service = { client: here.service };
      expect(lifetimeOf(await signed(owner, 'attachments', path('a.txt'), year))).toBe(86_400);
      expect(lifetimeOf(await signed(service, 'attachments', path('a.txt'), year))).toBe(86_400);
      expect(lifetimeOf(await signed(service, 'closed', 'life.txt', year))).toBe(year);
      expect(lifetimeOf(await signed(service, 'closed', 'life.txt', century))).toBe(315_360_000);
    });

    test('into buckets of the app show the bytes they were made for, into others what is there', async () => {
      await owner.client.storage.from('attachments').upload(path('a.txt'), 'before');
      await here.service.storage.from('closed').upload('a.txt', 'before', { upsert: true });
      const [ours, theirs] = [
        await signed(viewer, 'attachments', path('a.txt')),
        await signed({ client: here.service }, 'closed', 'a.txt'),
      ];
      expect([await read(ours), await read(theirs)]).toEqual(['before', 'before']);
      await owner.client.storage.from('attachments').upload(path('a.txt'), 'after', { upsert: true });
      await here.service.storage.from('closed').upload('a.txt', 'after', { upsert: true });
      expect([await read(ours), await read(theirs)]).toEqual(['InvalidJWT', 'after']);
      expect(await read(await signed(viewer, 'attachments', path('a.txt')))).toBe('after');
    });

    test('are ended object by object: everybody’s by who may change it, one’s own by who sees it', async () => {
      const files = owner.client.storage.from('attachments');
      for (const name of ['a.txt', 'b.txt']) await files.upload(path(name), name);
      const of = async (name: string) => [
        await signed(owner, 'attachments', path(name)),
        await signed(viewer, 'attachments', path(name)),
      ];
      const [first, other] = [await of('a.txt'), await of('b.txt')];
      const all = async () => Promise.all([...first, ...other].map(read));
      expect((await end(stranger, 'attachments', path('a.txt'))).body).toMatchObject({ statusCode: '404' });
      expect((await end(viewer, 'attachments', path('a.txt'))).status).toBe(200);
      expect(await all()).toEqual(['a.txt', 'InvalidJWT', 'b.txt', 'b.txt']);
      expect((await end(owner, 'attachments', path('b.txt'))).status).toBe(200);
      expect(await all()).toEqual(['a.txt', 'InvalidJWT', 'InvalidJWT', 'InvalidJWT']);
      expect(await read(await signed(viewer, 'attachments', path('b.txt')))).toBe('b.txt');
      const byKey = await signed({ client: here.service }, 'attachments', path('b.txt'));
      expect(await read(byKey)).toBe('b.txt');
      expect((await end({ token: here.app.serviceKey }, 'attachments', path('b.txt'))).status).toBe(200);
      expect(await read(byKey)).toBe('InvalidJWT');
    });

    test('share one row, however many there are', async () => {
      const files = owner.client.storage.from('attachments');
      const names = ['1.txt', '2.txt', '3.txt'].map(path);
      for (const name of names) await files.upload(name, name);
      const rows = () =>
        here.app.sql(
          `select xmin, id from access_grants where user_id = $1 and kind = 'file_link' and project_id = $2`,
          [owner.id, project],
        );
      const many = await files.createSignedUrls(names, 600);
      expect(await Promise.all((many.data ?? []).map(({ signedUrl }) => read(signedUrl ?? '')))).toEqual(names);
      const before = await rows();
      expect(before).toHaveLength(1);
      await files.createSignedUrls(names, 600);
      expect(await rows()).toEqual(before);
    });
  });

  test('avatars are seen by everyone and written by their owner alone', async () => {
    const picture = new Blob(['\x89PNG'], { type: 'image/png' });
    const mine = owner.client.storage.from('avatars');
    await mine.remove([`${owner.id}/me.png`]);
    expect((await mine.upload(`${owner.id}/me.png`, picture)).error).toBeNull();
    expect((await mine.upload(`${owner.id}/me.png`, picture, { upsert: true })).error).toBeNull();
    expect((await mine.upload(`${viewer.id}/me.png`, picture)).error).toMatchObject({ statusCode: '403' });
    expect(
      (await mine.upload(`${owner.id}/x.svg`, new Blob(['<svg/>'], { type: 'image/svg+xml' }))).error,
    ).toMatchObject({
      statusCode: '415',
    });
    expect((await fetch(mine.getPublicUrl(`${owner.id}/me.png`).data.publicUrl)).status).toBe(200);
    expect((await viewer.client.storage.from('avatars').list()).data).toEqual([]);
  });
});
