// Pictures that a comment shows, in the mails that quote it: within the mail itself, small, and for those alone who may see them.

import sharp from 'sharp';
import { expect, it } from 'vitest';
import { startMail } from '../../server/mail/start-mail.ts';
import { startApp, type TestApp, type TestUser } from '../helpers/app.ts';
import { fetchInbox } from '../helpers/fetch-inbox.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { startMailedApp } from '../identity/mailed-app.ts';
import { addMember, addRow, addTask, makeProject } from '../sql/board.ts';

const app = forSuite(startMailedApp);
const bob = person(app, 'Bob Byron');

/** Somebody with a project of their own, in which Bob writes. */
async function begin(name: string, on: TestApp = app, writer = bob) {
  const person = await on.createUser({ name });
  const { project } = await makeProject(on, person, 'Harbour');
  await addMember(on, project, writer, 'editor');
  const task = await addTask(on, person, { project_id: project, title: 'Paint the crane' });
  await on.sql('delete from public.notifications');
  return { person, project, task };
}

type Format = 'png' | 'webp';

/** Bob attaches a picture; its id, as texts name it. */
async function attach(
  { project, task }: { project: string; task: string },
  name: string,
  width: number,
  format: Format = 'png',
  [on, writer]: [TestApp, TestUser] = [app, bob],
): Promise<string> {
  const bytes = await sharp({ create: { width, height: width / 2, channels: 3, background: '#228ba0' } })
    .toFormat(format)
    .toBuffer();
  const object_path = `${project}/${task}/${crypto.randomUUID()}/${name}`;
  const { error } = await writer.client.storage
    .from('attachments')
    .upload(object_path, bytes, { contentType: `image/${format}` });
  expect(error).toBeNull();
  const content_type = `image/${format}`;
  return addRow(on, writer, 'task_attachments', {
    project_id: project,
    task_id: task,
    name,
    content_type,
    size_bytes: bytes.length,
    object_path,
  });
}

/** Some minutes go by. */
async function mailIsDue(on: TestApp = app): Promise<void> {
  await on.sql('update private.notification_deliveries set due_at = now()');
  await on.sql('select private.compose_notification_mails()');
}

/** The parts of a mail that are pictures, by what they are called in it. */
function picturesIn(raw: string): Map<string, { type: string; bytes: Buffer; head: string }> {
  const parts = raw.split(/\r\n--[^\r\n]+\r\n/).flatMap((part) => {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ');
    const id = /^Content-Id: <(.*)>$/im.exec(head)?.[1];
    const type = /^Content-Type: ([^;\s]+)/im.exec(head)?.[1] ?? '';
    return id === undefined
      ? []
      : [[id, { type, bytes: Buffer.from(part.slice(end).split('\r\n--')[0] ?? '', 'base64'), head }] as const];
  });
  return new Map(parts);
}

it('come with the mail, as large as a mail shows them, in a format that every mail program knows', async () => {
  const at = await begin('Ada');
  const { person, task } = at;
  const crane = await attach(at, 'crane.png', 1600);
  const quay = await attach(at, 'quay.webp', 300, 'webp');
  // What is quoted ends before the second one; the mail shows it all the same.
  const body = `![crane.png](attachment:${crane}) ${'so much to say '.repeat(20)} ![quay.webp](attachment:${quay})`;
  await addRow(app, bob, 'task_comments', { task_id: task, body });
  await mailIsDue();
  const mail = await app.post.next(person.email);
  expect(mail.text).toContain('> crane.png so much to say');
  const pictures = picturesIn(mail.raw);
  expect(pictures.size).toBe(2);
  const html = mail.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  const read = async (id: string) => {
    const [cid, part] = [...pictures].find(([one]) => one.startsWith(id)) ?? ['', null];
    expect(html).toContain(`<img src="cid:${cid}"`);
    expect(part?.head).toContain('Content-Disposition: inline');
    const { width, format } = await sharp(part?.bytes).metadata();
    expect(part?.type).toBe(`image/${format}`);
    return { width, format };
  };
  expect(await read(crane)).toEqual({ width: 912, format: 'png' });
  expect(await read(quay)).toEqual({ width: 300, format: 'jpeg' });
  // Nothing in it is fetched from anywhere, and nothing opens a door.
  expect(html).not.toMatch(/<img[^>]*src="http/);
  expect(html).not.toContain('token=ey');
});

it('are left out for who may not see them any more, and of another project; the words arrive', async () => {
  const at = await begin('Gone');
  const { person, project, task } = at;
  const owner = await app.createUser({ name: 'Olga' });
  await addMember(app, project, owner, 'owner');
  const elsewhere = await begin('Elsewhere');
  const foreign = await attach(elsewhere, 'secret.png', 100);
  const crane = await attach(at, 'crane.png', 100);
  await app.sql('delete from public.notifications where user_id <> $1', [person.id]);
  await addRow(app, bob, 'task_comments', {
    task_id: task,
    body: `Both: ![crane.png](attachment:${crane}) ![secret.png](attachment:${foreign})`,
  });
  await app.sql('delete from public.notifications where user_id <> $1', [person.id]);
  // The mail is written while they are a member, and leaves when they are none.
  await app.sql(`
    create function public.leaves_late() returns trigger language plpgsql as $$
    begin new.next_attempt_at := now() + interval '1 hour'; return new; end $$;
    create trigger leaves_late before insert on private.outbox for each row execute function public.leaves_late()`);
  await mailIsDue();
  const [queued] = await app.sql<{ data: { parts: { pictures: { name: string }[] }[] } }>(
    `select data from private.outbox where recipient = $1`,
    [person.email],
  );
  expect(queued?.data.parts[0]?.pictures.map(({ name }) => name)).toEqual(['crane.png']);
  await app.sql('delete from public.project_members where project_id = $1 and user_id = $2', [project, person.id]);
  await app.sql('drop trigger leaves_late on private.outbox');
  await app.sql(`update private.outbox set next_attempt_at = now() where recipient = $1`, [person.email]);
  await app.sql(`select pg_notify('kanbase_mail', '')`);
  const mail = await app.post.next(person.email);
  expect(mail.text).toContain('> Both: crane.png secret.png');
  expect(picturesIn(mail.raw).size).toBe(0);
});

it('stand on the page of mails too, where there is no mail server', async () => {
  const quiet = await startApp();
  const writer = await quiet.createUser({ name: 'Bob Byron' });
  const at = await begin('Dev', quiet, writer);
  const crane = await attach(at, 'crane.png', 200, 'png', [quiet, writer]);
  await addRow(quiet, writer, 'task_comments', { task_id: at.task, body: `![crane.png](attachment:${crane})` });
  await mailIsDue(quiet);
  const mail = await startMail(quiet.services);
  const [letter] = await quiet.sql<{ id: string }>('select id from private.outbox where recipient = $1', [
    at.person.email,
  ]);
  const page = await fetchInbox(quiet, `/dev/inbox/${letter?.id}`);
  const [, data = ''] = /<img src="data:image\/png;base64,([^"]+)" alt="crane.png"/.exec(await page.text()) ?? [];
  expect((await sharp(Buffer.from(data, 'base64')).metadata()).width).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain('img-src data:');
  await mail.stop();
  await quiet.close();
});
