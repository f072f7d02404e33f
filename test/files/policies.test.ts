// Rights on files, as tables: for each place, every verb by everyone, through the official client. After each refusal the file and all
// others are unchanged. Then invalid keys, and many at once under one key.

import { randomBytes, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { openTestStore } from './test-store.ts';
import { tryVerb, type Verb, verbsWith } from './verbs.ts';

const people = ['anon', 'stranger', 'removed', 'pending', 'viewer', 'editor', 'owner', 'service'] as const;
type Person = (typeof people)[number];
type Place = readonly [title: string, bucket: string, folder: () => string];

let ada: TestUser;
let clients: Record<Person, SupabaseClient>;
let ids: Record<Person, string>;
/** A picture, so that it can be resized; what replaces it is another. */
let before: Buffer;
let verbs: Readonly<Record<string, Verb>>;
/** Projects and tasks: ours, and one that none of them is in. */
let ours: { project: string; task: string };
let foreign: { project: string; task: string };

const files = forSuite(() => openTestStore('disk'));
const app = forSuite(() => startApp({ settings: { STORAGE_FILE_SIZE_LIMIT: '200000', ...files.settings } }));
beforeAll(async () => {
  before = await picture('red');
  verbs = verbsWith(await picture('blue'));
  ada = await app.createUser({ name: 'Ada' });
  const [stranger, removed, viewer, editor, owner] = await Promise.all(
    ['Sten', 'Remo', 'Vera', 'Edda', 'Olga'].map((name) => app.createUser({ name })),
  );
  if (!stranger || !removed || !viewer || !editor || !owner) throw new Error('Not everybody is here');
  // Signed in with a password, their second factor not asked yet: the token of an owner that is worth nothing.
  const claims = { sub: owner.id, role: 'authenticated', aud: 'authenticated', mfa_pending: true };
  const half = await app.services.sessions.sign(claims, 3600);
  clients = {
    anon: app.client(),
    stranger: stranger.client,
    removed: removed.client,
    pending: app.client({ token: half }),
    viewer: viewer.client,
    editor: editor.client,
    owner: owner.client,
    service: app.client({ key: app.serviceKey }),
  };
  const nobody = randomUUID();
  ids = {
    ...{ anon: nobody, stranger: stranger.id, removed: removed.id, pending: owner.id },
    ...{ viewer: viewer.id, editor: editor.id, owner: owner.id, service: nobody },
  };
  ours = await newProject(owner);
  foreign = await newProject(ada);
  await newProject(stranger);
  for (const [person, role] of [
    [viewer, 'viewer'],
    [editor, 'editor'],
    [removed, 'editor'],
  ] as const)
    await app.sql('insert into project_members (project_id, user_id, role) values ($1, $2, $3)', [
      ours.project,
      person.id,
      role,
    ]);
  await app.sql('delete from project_members where user_id = $1', [removed.id]);
  await clients.service.storage.createBucket('open', { public: true });
  await clients.service.storage.createBucket('closed');
});

function picture(background: string): Promise<Buffer> {
  return sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();
}

async function newProject(owner: TestUser): Promise<{ project: string; task: string }> {
  const made = await owner.client.rpc('create_project_with_defaults', { name: 'Files' });
  const project = (made.data as { id: string }).id;
  const { data: column } = await owner.client.from('workflow_columns').select('id').eq('project_id', project).limit(1);
  const row = { project_id: project, column_id: column?.[0]?.id, title: 'With files' };
  const { data } = await owner.client.from('tasks').insert(row).select('id').single();
  return { project, task: (data as { id: string }).id };
}

/** Rows and bytes name the same files, and nothing waits to be cleared away. */
async function expectAgreement(): Promise<void> {
  await vi.waitFor(
    async () => {
      const rows = await app.sql<{ version: string }>('select version from storage.objects order by version');
      expect(files.stored()).toEqual(rows.map(({ version }) => version));
      expect(await app.sql('select from private.unclaimed_files')).toEqual([]);
    },
    { timeout: 60_000 },
  );
}

/** One cell: the file is put there, the verb tried, and what is there afterwards compared with what should be. */
async function outcome(bucket: string, folder: string, name: string, person: Person): Promise<string> {
  const [path, other] = [`${folder}/${name} ${person}.png`, `${folder}/${name} ${person} 2.png`];
  const [by, server] = [clients[person].storage.from(bucket), clients.service.storage.from(bucket)];
  const { result, kept } = await tryVerb(verbs[name] as Verb, { bucket: by, server, path, other, before });
  expect(kept, `${person}: ${name} ${path}: ${result}`).toBe(true);
  return result;
}

async function table(bucket: string, folder: (person: Person) => string): Promise<string> {
  const rows: string[] = [line('', people)];
  for (const verb of Object.keys(verbs))
    rows.push(line(verb, await Promise.all(people.map((person) => outcome(bucket, folder(person), verb, person)))));
  return `\n${rows.join('\n')}\n`;
}

function line(head: string, cells: readonly string[]): string {
  return [head.padEnd(12), ...cells.map((cell) => cell.padEnd(9))].join(' ').trimEnd();
}

/** `none` is an empty answer: a listing without it, or a removal that passed it over. */
describe('permissions on files', () => {
  test('with a file of a task: members see it, owners and editors write it', async () => {
    expect(await table('attachments', () => `${ours.project}/${ours.task}`)).toBe(`
             anon      stranger  removed   pending   viewer    editor    owner     service
upload       403       403       403       403       403       ok        ok        ok
upsert       403       403       403       403       403       ok        ok        ok
update       403       403       403       403       403       ok        ok        ok
download     404       404       404       404       ok        ok        ok        ok
resize       404       404       404       404       ok        ok        ok        ok
info         404       404       404       404       ok        ok        ok        ok
list         none      none      none      none      ok        ok        ok        ok
sign         404       404       404       404       ok        ok        ok        ok
sign upload  403       403       403       403       403       ok        ok        ok
move         404       404       404       404       403       ok        ok        ok
copy         404       404       404       404       403       ok        ok        ok
remove       none      none      none      none      none      ok        ok        ok
by address   404       404       404       404       404       404       404       404
`);
  });

  const closedToAll = `
             anon      stranger  removed   pending   viewer    editor    owner     service
upload       403       403       403       403       403       403       403       ok
upsert       403       403       403       403       403       403       403       ok
update       403       403       403       403       403       403       403       ok
download     404       404       404       404       404       404       404       ok
resize       404       404       404       404       404       404       404       ok
info         404       404       404       404       404       404       404       ok
list         none      none      none      none      none      none      none      ok
sign         404       404       404       404       404       404       404       ok
sign upload  403       403       403       403       403       403       403       ok
move         404       404       404       404       404       404       404       ok
copy         404       404       404       404       404       404       404       ok
remove       none      none      none      none      none      none      none      ok
by address   404       404       404       404       404       404       404       404
`;
  test.each<Place>([
    ['with a file of a foreign project', 'attachments', () => `${foreign.project}/${foreign.task}`],
    ['in the folder of a task of another project, within ours', 'attachments', () => `${ours.project}/${foreign.task}`],
    ['beside the projects', 'attachments', () => `elsewhere/${ours.task}`],
    ['in a private bucket without policies', 'closed', () => 'folder'],
  ])('%s: nothing, and it is not there', async (_title, bucket, folder) => {
    expect(await table(bucket, folder)).toBe(closedToAll);
  });

  const openByAddress = `
             anon      stranger  removed   pending   viewer    editor    owner     service
upload       403       403       403       403       403       403       403       ok
upsert       403       403       403       403       403       403       403       ok
update       403       403       403       403       403       403       403       ok
download     404       404       404       404       404       404       404       ok
resize       404       404       404       404       404       404       404       ok
info         404       404       404       404       404       404       404       ok
list         none      none      none      none      none      none      none      ok
sign         404       404       404       404       404       404       404       ok
sign upload  403       403       403       403       403       403       403       ok
move         404       404       404       404       404       404       404       ok
copy         404       404       404       404       404       404       404       ok
remove       none      none      none      none      none      none      none      ok
by address   ok        ok        ok        ok        ok        ok        ok        ok
`;
  test.each<Place>([
    ['with the picture of somebody else', 'avatars', () => ada.id],
    ['with the picture of a foreign project', 'avatars', () => `projects/${foreign.project}`],
    ['in a public bucket without policies', 'open', () => 'folder'],
  ])('%s: download it by its address, and nothing else', async (_title, bucket, folder) => {
    expect(await table(bucket, folder)).toBe(openByAddress);
  });

  test('with a picture of their own', async () => {
    expect(await table('avatars', (person) => ids[person])).toBe(`
             anon      stranger  removed   pending   viewer    editor    owner     service
upload       403       ok        ok        403       ok        ok        ok        ok
upsert       403       ok        ok        403       ok        ok        ok        ok
update       403       ok        ok        403       ok        ok        ok        ok
download     404       ok        ok        404       ok        ok        ok        ok
resize       404       ok        ok        404       ok        ok        ok        ok
info         404       ok        ok        404       ok        ok        ok        ok
list         none      ok        ok        none      ok        ok        ok        ok
sign         404       ok        ok        404       ok        ok        ok        ok
sign upload  403       ok        ok        403       ok        ok        ok        ok
move         404       ok        ok        404       ok        ok        ok        ok
copy         404       ok        ok        404       ok        ok        ok        ok
remove       none      ok        ok        none      ok        ok        ok        ok
by address   ok        ok        ok        ok        ok        ok        ok        ok
`);
  });

  test('with the picture of a project: its owners alone', async () => {
    expect(await table('avatars', () => `projects/${ours.project}`)).toBe(`
             anon      stranger  removed   pending   viewer    editor    owner     service
upload       403       403       403       403       403       403       ok        ok
upsert       403       403       403       403       403       403       ok        ok
update       403       403       403       403       403       403       ok        ok
download     404       404       404       404       404       404       ok        ok
resize       404       404       404       404       404       404       ok        ok
info         404       404       404       404       404       404       ok        ok
list         none      none      none      none      none      none      ok        ok
sign         404       404       404       404       404       404       ok        ok
sign upload  403       403       403       403       403       403       ok        ok
move         404       404       404       404       404       404       ok        ok
copy         404       404       404       404       404       404       ok        ok
remove       none      none      none      none      none      none      ok        ok
by address   ok        ok        ok        ok        ok        ok        ok        ok
`);
  });
});

describe('a key', () => {
  /** Straight onto the wire: clients and `fetch` would put the address in order first. */
  const send = (method: string, path: string, body?: unknown) =>
    new Promise<{ status: number; body: { code?: string } }>((resolve, reject) => {
      const { hostname, port } = new URL(app.url);
      const content = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${app.serviceKey}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(content)),
        'x-upsert': 'true',
      };
      const asked = httpRequest({ hostname, port, method, path: `/storage/v1/${path}`, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: text === '' ? {} : JSON.parse(text) }),
        );
      });
      asked.on('error', reject);
      asked.end(content);
    });

  beforeAll(async () => {
    expect((await clients.service.storage.from('closed').upload('kept', 'kept')).error).toBeNull();
    await expectAgreement();
  });

  const bad = [
    '../kept',
    'a/../kept',
    '..',
    '.',
    './kept',
    'a//b',
    '/kept',
    'a\\b',
    'a\0b',
    'a\nb',
    'a<b',
    'a|b',
    '🤯',
    `${'x'.repeat(1025)}`,
  ];
  test.each(bad)('%# of them is none, for any verb', async (key) => {
    const server = clients.service.storage.from('closed');
    const stored = files.stored();
    const raw = key
      .replaceAll('%', '%25')
      .replaceAll('\0', '%00')
      .replaceAll('\n', '%0A')
      .replaceAll('🤯', '%F0%9F%A4%AF');
    for (const written of new Set([
      encodeURIComponent(key),
      raw.replaceAll('\\', '%5C').replaceAll('<', '%3C').replaceAll('|', '%7C'),
    ]))
      for (const [method, before, body] of [
        ['POST', 'object/closed/', 'x'],
        ['PUT', 'object/closed/', 'x'],
        ['GET', 'object/closed/'],
        ['HEAD', 'object/authenticated/closed/'],
        ['GET', 'object/public/closed/'],
        ['GET', 'object/info/closed/'],
        ['GET', 'render/image/authenticated/closed/'],
        ['DELETE', 'object/closed/'],
        ['POST', 'object/sign/closed/', { expiresIn: 60 }],
        ['POST', 'object/upload/sign/closed/', {}],
        ['POST', 'zip/closed/', {}],
      ] as const) {
        const answer = await send(method, before + written, body);
        expect([400, 404], `${method} ${before}${written}`).toContain(answer.status);
      }
    for (const way of [
      { sourceKey: key, destinationKey: 'other' },
      { sourceKey: 'kept', destinationKey: key },
    ])
      for (const verb of ['move', 'copy'])
        expect((await send('POST', `object/${verb}`, { bucketId: 'closed', ...way })).body.code, verb).toBe(
          'InvalidKey',
        );
    // Of lists of names those that are none are found nowhere; a zero byte is not even text.
    const [removed, signed] = [
      await send('DELETE', 'object/closed', { prefixes: [key] }),
      await send('POST', 'object/sign/closed', { expiresIn: 60, paths: [key] }),
    ];
    if (key.includes('\0')) expect([removed.body.code, signed.body.code]).toEqual(['InvalidRequest', 'InvalidRequest']);
    else expect([removed.body, signed.body]).toMatchObject([[], [{ signedURL: null }]]);
    expect(await (await server.download('kept')).data?.text()).toBe('kept');
    expect(files.stored()).toEqual(stored);
  });

  test.each([
    'Übersicht für März.txt',
    'u\u0308 in two parts.txt',
    '図面/概要 (最終).txt',
    'ملف مهم.txt',
    'हिन्दी/फ़ाइल.txt',
    'ไฟล์/ภาษาไทย.txt',
    "all signs/_-!.*'() &$@=;:+,.txt",
    '1٢३.txt',
    `long/${'ß'.repeat(500)}`,
  ])('like %j goes through every verb', async (key) => {
    const bucket = clients.service.storage.from('closed');
    expect((await bucket.upload(key, 'one', { contentType: 'text/plain' })).data?.path).toBe(key);
    expect((await bucket.upload(key, 'two', { contentType: 'text/plain', upsert: true })).error).toBeNull();
    expect(await (await bucket.download(key)).data?.text()).toBe('two');
    expect((await bucket.info(key)).data?.name).toBe(key);
    expect((await bucket.exists(key)).data).toBe(true);
    const name = key.slice(key.lastIndexOf('/') + 1);
    const folder = key.slice(0, Math.max(0, key.lastIndexOf('/')));
    expect((await bucket.list(folder, { search: name })).data?.map((one) => one.name)).toEqual([name]);
    expect((await bucket.listV2({ prefix: key })).data?.objects.map((one) => one.name)).toEqual([key]);
    const link = (await bucket.createSignedUrl(key, 60, { download: true })).data?.signedUrl ?? '';
    const saved = await fetch(link);
    expect([await saved.text(), saved.headers.get('content-disposition')]).toEqual([
      'two',
      expect.stringContaining(
        `filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)};`,
      ),
    ]);
    expect((await bucket.copy(key, `copied/${name}`)).error).toBeNull();
    expect((await bucket.move(key, `moved/${name}`)).error).toBeNull();
    expect((await bucket.remove([`copied/${name}`, `moved/${name}`])).data).toHaveLength(2);
    expect((await bucket.exists(key)).data).toBe(false);
  });
});

test('many at once under one key, by every way in, end as one of them, whole, and nothing else is left', async () => {
  const server = clients.service.storage.from('closed');
  const bodies = Array.from({ length: 6 }, (_, at) => Buffer.alloc(40_000, String(at)));
  for (const [at, body] of bodies.entries()) await server.upload(`source ${at}`, body, { upsert: true });
  const links = await Promise.all(bodies.map(() => server.createSignedUploadUrl('raced', { upsert: true })));
  const upserted = { upsert: true };
  await Promise.all([
    ...bodies.map((body) => server.upload('raced', body, upserted)),
    ...bodies.map((body) => server.upload('raced', new Blob([new Uint8Array(body)]), upserted)),
    ...bodies.map((body, at) => server.uploadToSignedUrl('raced', links[at]?.data?.token ?? '', body)),
    ...bodies.map((_, at) =>
      app.request('/storage/v1/object/copy', {
        method: 'POST',
        token: app.serviceKey,
        headers: { 'content-type': 'application/json', 'x-upsert': 'true' },
        body: JSON.stringify({ bucketId: 'closed', sourceKey: `source ${at}`, destinationKey: 'raced' }),
      }),
    ),
    ...bodies.map(() => server.remove(['raced'])),
    ...bodies.map((_, at) => server.move(`source ${at}`, `moved ${at}`)),
  ]);
  expect((await server.upload('raced', bodies[0] ?? '', upserted)).error).toBeNull();
  await Promise.all(bodies.map((body) => server.upload('raced', body, upserted)));
  const { data } = await server.download('raced');
  const left = Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0));
  expect(bodies.some((body) => body.equals(left))).toBe(true);
  await expectAgreement();
});

test('an upload that is too large or breaks off leaves nothing behind, by every way in', async () => {
  const server = clients.service.storage.from('closed');
  await expectAgreement();
  const stored = files.stored();
  const large = randomBytes(200_001);
  const stream = () => new Blob([large]).stream() as unknown as ReadableStream;
  const link = (await server.createSignedUploadUrl('large')).data?.token ?? '';
  for (const refused of [
    await server.upload('large', large),
    await server.upload('large', new Blob([large])),
    await server.upload('large', stream()),
    await server.uploadToSignedUrl('large', link, large),
  ])
    expect(refused.error).toMatchObject({ statusCode: '413' });
  for (const type of ['application/octet-stream', 'multipart/form-data; boundary=b'])
    await new Promise<void>((resolve) => {
      const headers = { authorization: `Bearer ${app.serviceKey}`, 'content-type': type, 'content-length': '100000' };
      const upload = httpRequest(new URL('/storage/v1/object/closed/broken', app.url), { method: 'POST', headers });
      upload.on('error', () => resolve());
      if (type.startsWith('multipart'))
        upload.write('--b\r\ncontent-disposition: form-data; name=""; filename="x"\r\n\r\n');
      upload.write(randomBytes(50_000));
      void vi
        .waitFor(async () => expect(await app.sql('select from private.unclaimed_files')).toHaveLength(1), {
          timeout: 60_000,
        })
        .finally(() => upload.destroy(new Error('gone')));
    });
  for (const name of ['large', 'broken']) expect((await server.exists(name)).data).toBe(false);
  await vi.waitFor(() => expect([files.stored(), files.incoming()]).toEqual([stored, []]), { timeout: 60_000 });
});
