// A folder as a zip, by token and by link, with what the caller may see; and how many bytes files may have together.

import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

let owner: TestUser;
let viewer: TestUser;
let stranger: TestUser;
let folder: string;

const app = forSuite(startApp);
beforeAll(async () => {
  owner = await app.createUser({ name: 'Olga' });
  viewer = await app.createUser({ name: 'Vera' });
  stranger = await app.createUser({ name: 'Sten' });
  folder = await newTask();
  await app.sql(`insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
    folder.slice(0, 36),
    viewer.id,
  ]);
});

/** The folder of a task in a project of its own. */
async function newTask({ client } = owner): Promise<string> {
  const made = await client.rpc('create_project_with_defaults', { name: 'Files' });
  const project = (made.data as { id: string }).id;
  const { data: column } = await client.from('workflow_columns').select('id').eq('project_id', project).limit(1);
  const row = { project_id: project, column_id: column?.[0]?.id, title: 'With files' };
  const { data } = await client.from('tasks').insert(row).select('id').single();
  return `${project}/${(data as { id: string }).id}`;
}

/** Names and contents, from the directory at the end of the file. */
function readZip(zip: Buffer): Record<string, string> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const found: Record<string, string> = {};
  let at = zip.readUInt32LE(end + 16);
  for (let n = zip.readUInt16LE(end + 10); n > 0; n--) {
    const [size, nameLength, extraLength] = [
      zip.readUInt32LE(at + 24),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
    ];
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    found[zip.toString('utf8', at + 46, at + 46 + nameLength)] = zip.toString('utf8', start, start + size);
    at += 46 + nameLength + extraLength + zip.readUInt16LE(at + 32);
  }
  return found;
}

describe('a zip', () => {
  const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
  const wanted = { 'plan.txt': 'one', 'plan (2).txt': 'two', 'Übersicht/a.txt': 'three' };
  const get = (token: string, path = folder) => app.request(`/storage/v1/zip/attachments/${path}`, { token });
  beforeAll(async () => {
    const files = owner.client.storage.from('attachments');
    await files.upload(`${folder}/${ids[0]}/plan.txt`, 'one');
    await files.upload(`${folder}/${ids[1]}/plan.txt`, 'two');
    await files.upload(`${folder}/Übersicht/a.txt`, 'three');
  });

  test('holds what is in the folder, each under a name of its own', async () => {
    const response = await get(viewer.token);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(readZip(Buffer.from(await response.arrayBuffer()))).toEqual(wanted);
    const named = await app.request(`/storage/v1/zip/attachments/${folder}?download=all.zip`, { token: viewer.token });
    expect(named.headers.get('content-disposition')).toContain('filename=all.zip');
    await named.arrayBuffer();
  });

  test('gives names that every file system takes', async () => {
    const task = await newTask();
    const files = owner.client.storage.from('attachments');
    for (const name of ['Q: notes.txt', 'Why*.txt', '*/a.txt', 'b.txt'])
      expect((await files.upload(`${task}/${name}`, name)).error).toBeNull();
    const response = await get(owner.token, task);
    expect(response.status).toBe(200);
    expect(readZip(Buffer.from(await response.arrayBuffer()))).toEqual({
      'Q_ notes.txt': 'Q: notes.txt',
      'Why_.txt': 'Why*.txt',
      '_/a.txt': '*/a.txt',
      'b.txt': 'b.txt',
    });
  });

  test('of many files warns of nothing', async () => {
    const task = await newTask();
    const files = owner.client.storage.from('attachments');
    for (let n = 0; n < 12; n++) expect((await files.upload(`${task}/${n}.txt`, `${n}`)).error).toBeNull();
    const warned: Error[] = [];
    const hear = (warning: Error): void => void warned.push(warning);
    process.on('warning', hear);
    try {
      const zip = readZip(Buffer.from(await (await get(owner.token, task)).arrayBuffer()));
      expect(Object.keys(zip)).toHaveLength(12);
    } finally {
      process.off('warning', hear);
    }
    expect(warned).toEqual([]);
  });

  test('is nothing for who may see nothing of it', async () => {
    for (const token of [stranger.token, app.anonKey])
      expect(await (await get(token)).json()).toMatchObject({ code: 'NoSuchKey' });
    expect(await (await get(owner.token, `${folder}/nowhere`)).json()).toMatchObject({ code: 'NoSuchKey' });
  });

  test('leaves out what was removed and only stays for undoing, until it is brought back', async () => {
    const [task, id] = [await newTask(), '33333333-3333-4333-8333-333333333333'];
    const [projectId, taskId] = task.split('/');
    const row = {
      id,
      project_id: projectId,
      task_id: taskId,
      name: 'b.txt',
      content_type: 'text/plain',
      size_bytes: 3,
      object_path: `${task}/${id}/b.txt`,
    };
    await owner.client.storage.from('attachments').upload(row.object_path, 'two');
    await owner.client.storage.from('attachments').upload(`${task}/a.txt`, 'one');
    const names = async () => Object.keys(readZip(Buffer.from(await (await get(owner.token, task)).arrayBuffer())));
    expect((await owner.client.from('task_attachments').insert(row)).error).toBeNull();
    expect(await names()).toEqual(['b.txt', 'a.txt']);
    await owner.client.from('task_attachments').delete().eq('id', id);
    expect(await names()).toEqual(['a.txt']);
    await owner.client.from('task_attachments').insert(row);
    expect(await names()).toEqual(['b.txt', 'a.txt']);
  });

  test('opens by a link for a time, as long as who made it may see it', async () => {
    const session = randomUUID();
    const leaving = await app.createUser({ name: 'Leo', claims: { session_id: session } });
    await app.sql('insert into auth.sessions (id, user_id) values ($1, $2)', [session, leaving.id]);
    await app.sql(`insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      folder.slice(0, 36),
      leaving.id,
    ]);
    const link = async (token: string) =>
      (
        await app.request(`/storage/v1/zip/attachments/${folder}`, { method: 'POST', token, body: '{"expiresIn":60}' })
      ).json() as Promise<{
        signedURL?: string;
        code?: string;
      }>;
    expect(await link(stranger.token)).toMatchObject({ code: 'NoSuchKey' });
    const { signedURL = '' } = await link(leaving.token);
    const open = () => app.request(`/storage/v1${signedURL}`, { token: null });
    expect(readZip(Buffer.from(await (await open()).arrayBuffer()))).toEqual(wanted);
    const elsewhere = signedURL.replace(folder, `${folder}/Übersicht`);
    expect(await (await app.request(`/storage/v1${elsewhere}`, { token: null })).json()).toMatchObject({
      code: 'InvalidSignature',
    });
    await app.sql('delete from project_members where user_id = $1', [leaving.id]);
    expect(await (await open()).json()).toMatchObject({ code: 'InvalidJWT' });
    await app.sql(`insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      folder.slice(0, 36),
      leaving.id,
    ]);
    expect(await (await open()).json()).toMatchObject({ code: 'InvalidJWT' });
    const again = await link(leaving.token);
    const reopen = () => app.request(`/storage/v1${again.signedURL ?? ''}`, { token: null });
    expect((await reopen()).status).toBe(200);
    await app.sql('delete from auth.sessions where id = $1', [session]);
    expect(await (await reopen()).json()).toMatchObject({ code: 'InvalidJWT' });
  });
});

describe('quotas', () => {
  const full = { statusCode: '413', error: 'QuotaExceeded' };
  let member: TestUser;
  const bounded = forSuite(() =>
    startApp({ settings: { STORAGE_PROJECT_QUOTA_BYTES: '10000', STORAGE_QUOTA_BYTES: '30000' } }),
  );
  beforeAll(async () => {
    member = await bounded.createUser({ name: 'Mona' });
    await bounded.client({ key: bounded.serviceKey }).storage.createBucket('other');
  });

  test('bound a project, for uploads, copies and resumable uploads, and not the next one', async () => {
    const files = member.client.storage.from('attachments');
    const [first, second] = [await newTask(member), await newTask(member)];
    expect((await files.upload(`${first}/a`, randomBytes(6000))).error).toBeNull();
    expect((await files.upload(`${first}/b`, randomBytes(6000))).error).toMatchObject({
      statusCode: '413',
      message: 'The files of this project may have 10000 bytes together',
    });
    expect((await files.copy(`${first}/a`, `${first}/c`)).error).toMatchObject({ statusCode: '413' });
    const resumable = await bounded.request('/storage/v1/upload/resumable', {
      method: 'POST',
      token: member.token,
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': '6000',
        'upload-metadata': `bucketName ${btoa('attachments')},objectName ${btoa(`${first}/d`)}`,
      },
    });
    expect(resumable.status).toBe(413);
    // What is replaced does not count, and what is removed makes room.
    expect((await files.upload(`${first}/a`, randomBytes(9000), { upsert: true })).error).toBeNull();
    await files.remove([`${first}/a`]);
    expect((await files.upload(`${first}/b`, randomBytes(6000))).error).toBeNull();
    expect((await files.upload(`${second}/a`, randomBytes(6000))).error).toBeNull();
    // What moves there counts there.
    await files.upload(`${second}/b`, randomBytes(3000));
    const moved = await files.move(`${second}/a`, `${first}/c`);
    expect(moved.error).toMatchObject({
      statusCode: '413',
      message: 'The files of this project may have 10000 bytes together',
    });
    expect((await files.move(`${second}/b`, `${first}/c`)).error).toBeNull();
    expect((await files.move(`${first}/c`, `${first}/d`)).error).toBeNull();
    // How full it is, only members are told.
    const other = await bounded.createUser({ name: 'Otto' });
    const own = await newTask(other);
    const theirs = other.client.storage.from('attachments');
    await theirs.upload(`${own}/a`, randomBytes(6000));
    expect((await theirs.move(`${own}/a`, `${first}/e`)).error).toMatchObject({ statusCode: '403' });
    await theirs.remove([`${own}/a`]);
    await files.remove([`${first}/b`, `${first}/d`, `${second}/a`]);
  });

  test('count what uploads under way will bring; of these a person has a hundred at most', async () => {
    const path = await newTask(member);
    const send = (
      url: string,
      method: string,
      headers: Record<string, string>,
      body: Uint8Array<ArrayBuffer> | null = null,
    ) => bounded.request(url, { method, token: member.token, headers: { 'tus-resumable': '1.0.0', ...headers }, body });
    const begin = (name: string, length: Record<string, string>) =>
      send('/storage/v1/upload/resumable', 'POST', {
        'upload-metadata': `bucketName ${btoa('attachments')},objectName ${btoa(`${path}/${name}`)}`,
        ...length,
      });
    const first = await begin('a', { 'upload-length': '6000' });
    expect(first.status).toBe(201);
    expect((await begin('a', { 'upload-length': '6000' })).status).toBe(413);
    expect((await begin('b', { 'upload-length': '6000' })).status).toBe(413);
    expect((await begin('b', { 'upload-defer-length': '1' })).status).toBe(413);
    const files = member.client.storage.from('attachments');
    expect((await files.upload(`${path}/b`, randomBytes(6000))).error).toMatchObject({ statusCode: '413' });
    // It does not stand in its own way.
    const part = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    expect((await send(first.headers.get('location') ?? '', 'PATCH', part, new Uint8Array(6000))).status).toBe(204);

    const urls: string[] = [];
    for (let n = 0; n < 100; n++)
      urls.push((await begin(`c${n}`, { 'upload-length': '1' })).headers.get('location') ?? '');
    const refused = await begin('d', { 'upload-length': '1' });
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining('100 uploads')]);
    expect((await send(urls[0] ?? '', 'DELETE', {})).status).toBe(204);
    expect((await begin('d', { 'upload-length': '1' })).status).toBe(201);
    await files.remove([`${path}/a`]);
    await bounded.sql('delete from private.resumable_uploads');
  });

  test('count of an unknown length what the bucket takes at most, for an hour while no byte comes', async () => {
    const service = bounded.client({ key: bounded.serviceKey });
    await service.storage.createBucket('small', { public: false, fileSizeLimit: 5000 });
    const begin = (name: string) =>
      bounded.request('/storage/v1/upload/resumable', {
        method: 'POST',
        token: bounded.serviceKey,
        headers: {
          ...{ 'tus-resumable': '1.0.0', 'upload-defer-length': '1' },
          'upload-metadata': `bucketName ${btoa('small')},objectName ${btoa(name)}`,
        },
      });
    const first = await begin('a');
    expect(first.status).toBe(201);
    const hour = (date: string | null) => Math.round((Date.parse(date ?? '') - Date.now()) / 3_600_000);
    expect(hour(first.headers.get('upload-expires'))).toBe(1);
    for (const n of [2, 3, 4, 5, 6]) expect((await begin(`a${n}`)).status).toBe(201);
    expect((await begin('b')).status).toBe(413);
    const due = () =>
      bounded.sql(
        `select round(extract(epoch from u.expires_at - now()) / 3600)::int as upload, round(extract(epoch from f.due_at - now()) / 3600)::int as file
        from private.resumable_uploads u join private.unclaimed_files f using (version) where name = 'a'`,
      );
    expect(await due()).toEqual([{ upload: 1, file: 1 }]);
    const part = await bounded.request(first.headers.get('location') ?? '', {
      ...{ method: 'PATCH', token: bounded.serviceKey, body: new Uint8Array(10) },
      headers: {
        ...{ 'tus-resumable': '1.0.0', 'upload-offset': '0' },
        'content-type': 'application/offset+octet-stream',
      },
    });
    expect(part.status).toBe(204);
    expect(await due()).toEqual([{ upload: 24, file: 24 }]);
    await bounded.sql('delete from private.resumable_uploads');
  });

  test('bound all files together', async () => {
    const other = bounded.client({ key: bounded.serviceKey }).storage.from('other');
    await other.remove(['a']);
    expect((await other.upload('a', randomBytes(10_000))).error).toBeNull();
    const response = await bounded.request('/storage/v1/object/other/b', {
      method: 'POST',
      token: bounded.serviceKey,
      body: randomBytes(20_001),
    });
    expect(await response.json()).toMatchObject({ ...full, message: 'All files together may have 30000 bytes' });
    expect((await other.exists('b')).data).toBe(false);
  });
});
