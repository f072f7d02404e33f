// Every kind of access without a session (feeds, links, unsubscribing): created by one person, used by somebody who only has the address.

import { randomUUID } from 'node:crypto';
import type { RunningJob } from '../../server/background/every.ts';
import { unsubscribeUrl } from '../../server/mail/unsubscribe.ts';
import type { TestApp, TestUser } from '../helpers/app.ts';
import { addTask, one } from '../sql/board.ts';

/** Somebody who signed in by the door, with what they have made. */
export interface Member extends TestUser {
  readonly project: string;
  /** The object of the attachments bucket. */
  readonly path: string;
  /** An object of a bucket of their own making. */
  readonly own: string;
  /** Of a finished export. */
  readonly exported: string;
}

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** A bucket in which everybody keeps files of their own. */
export async function makeClosedBucket(app: TestApp): Promise<void> {
  await one(app.client({ key: app.serviceKey }).storage.createBucket('closed'));
  await app.sql(
    `create policy people_of_closed on storage.objects to authenticated using (bucket_id = 'closed') with check (bucket_id = 'closed')`,
  );
}

/** What the client for accounts answers, which `one` does not take. */
export async function ok<Answer extends { data: unknown; error: unknown }>(
  asked: PromiseLike<Answer>,
): Promise<Answer['data']> {
  const { data, error } = await asked;
  if (error !== null) throw new Error(`Refused: ${JSON.stringify(error)}`);
  return data;
}

interface Joining {
  readonly project: string;
  readonly exports: Pick<RunningJob, 'settle'>;
  /** Makes somebody an editor of the project. */
  join(person: TestUser): Promise<unknown>;
}

/** Somebody who signs in by the door, joins, and makes a task with a file, a file of their own, and an export of everything. */
export async function makeMember(app: TestApp, { project, exports, join }: Joining): Promise<Member> {
  const { auth } = app.client({ key: app.serviceKey });
  const [email, password] = [`${randomUUID()}@example.test`, 'a long password, at first'];
  const { user } = await ok(auth.admin.createUser({ email, password, email_confirm: true }));
  const id = user?.id ?? '';
  const client = app.client();
  const { session } = await ok(client.auth.signInWithPassword({ email, password }));
  const person = { id, email, name: 'Mia', password, token: session?.access_token ?? '', client };
  await join(person);
  const task = await addTask(app, person, { project_id: project, title: 'Paint the crane', due_date: '2030-01-01' });
  const [path, own] = [`${project}/${task}/plan.png`, `${id}/plan.png`];
  for (const [bucket, name] of [
    ['attachments', path],
    ['closed', own],
  ] as const)
    await one(client.storage.from(bucket).upload(name, picture, { contentType: 'image/png' }));
  await one(client.rpc('begin_export', { format: 'csv' }));
  await exports.settle();
  const [exported] = (await one(client.rpc('my_exports'))) as { path: string }[];
  return { ...person, project, path, own, exported: exported?.path ?? '' };
}

/** Whether it still opens. */
export type Open = () => Promise<boolean>;

export interface Way {
  /** As public.access_grants has it. */
  readonly kind: string;
  /** Ends with the membership too. */
  readonly isOfProject: boolean;
  make(app: TestApp, member: Member): Promise<Open>;
}

const opens = async (address: string, init: RequestInit = {}): Promise<boolean> => {
  const answer = await fetch(address, init);
  await answer.arrayBuffer();
  return answer.ok;
};

const signed =
  (bucket: string, pathOf: (member: Member) => string, options = {}) =>
  async (_app: TestApp, member: Member): Promise<Open> => {
    const { signedUrl } = await one(
      member.client.storage.from(bucket).createSignedUrl(pathOf(member), 10 * 365 * 86_400, options),
    );
    return () => opens(signedUrl);
  };

async function makeFeed(app: TestApp, { client, project }: Member, kind: 'mine' | 'project'): Promise<Open> {
  const made = await one(
    client.rpc('create_calendar_feed', kind === 'mine' ? { kind } : { kind, project_id: project }),
  );
  return () => opens(`${app.url}${made.path}`);
}

/** Each try uploads under one name again. */
async function signUpload({ client, path }: Member): Promise<{ readonly token: string; readonly name: string }> {
  const name = `${path}.${randomUUID()}`;
  const { token } = await one(client.storage.from('attachments').createSignedUploadUrl(name, { upsert: true }));
  return { token, name };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const ways: Readonly<Record<string, Way>> = {
  'the calendar of one’s tasks': {
    kind: 'calendar_feed',
    isOfProject: false,
    make: (app, member) => makeFeed(app, member, 'mine'),
  },
  'the calendar of a project': {
    kind: 'calendar_feed',
    isOfProject: true,
    make: (app, member) => makeFeed(app, member, 'project'),
  },
  'a signed URL of an attachment': {
    kind: 'file_link',
    isOfProject: true,
    make: signed('attachments', ({ path }) => path),
  },
  'a signed URL of a resized picture': {
    kind: 'file_link',
    isOfProject: true,
    make: signed('attachments', ({ path }) => path, { transform: { width: 1 } }),
  },
  'a signed URL of an export of everything': {
    kind: 'file_link',
    isOfProject: true,
    make: signed('exports', ({ exported }) => exported),
  },
  'a signed URL into a bucket of one’s own': {
    kind: 'file_link',
    isOfProject: false,
    make: signed('closed', ({ own }) => own),
  },
  'a link to a folder as a zip': {
    kind: 'folder_link',
    isOfProject: true,
    async make(app, { path, token }) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      const answer = await app.request(`/storage/v1/zip/attachments/${folder}`, {
        method: 'POST',
        token,
        body: '{"expiresIn":3600}',
      });
      const { signedURL } = await answer.json();
      return () => opens(`${app.url}/storage/v1${signedURL}`);
    },
  },
  'a signed URL for an upload': {
    kind: 'upload_link',
    isOfProject: true,
    async make(app, member) {
      const { token, name } = await signUpload(member);
      const url = `${app.url}/storage/v1/object/upload/sign/attachments/${name}?token=${token}`;
      return () => opens(url, { method: 'PUT', body: 'bytes', headers: { 'content-type': 'text/plain' } });
    },
  },
  'a signed resumable upload': {
    kind: 'upload_link',
    isOfProject: true,
    async make(app, member) {
      const { token, name } = await signUpload(member);
      const metadata = `bucketName ${base64('attachments')},objectName ${base64(name)}`;
      const headers = { 'tus-resumable': '1.0.0', 'x-signature': token };
      const begun = await fetch(`${app.url}/storage/v1/upload/resumable/sign`, {
        method: 'POST',
        headers: { ...headers, 'upload-length': '5', 'upload-metadata': metadata },
      });
      const url = new URL(begun.headers.get('location') ?? '', app.url).toString();
      return () => opens(url, { method: 'HEAD', headers });
    },
  },
  'the link to unsubscribe in mails': {
    kind: 'unsubscribe_link',
    isOfProject: false,
    async make(app, { id }) {
      const [row] = await app.sql<{ granted: string }>('select private.unsubscribe_grant_of($1) as granted', [id]);
      const key = app.services.sessions.deriveKey('unsubscribe from mail');
      return () => opens(unsubscribeUrl(app.url, row?.granted ?? '', key));
    },
  },
};

export const allWays = Object.keys(ways);
/** What is left to who is no longer a member. */
export const waysApart = allWays.filter((name) => ways[name]?.isOfProject === false);

export async function makeAll(app: TestApp, member: Member): Promise<ReadonlyMap<string, Open>> {
  const made = new Map<string, Open>();
  for (const [name, way] of Object.entries(ways)) made.set(name, await way.make(app, member));
  return made;
}

export async function openOnes(made: ReadonlyMap<string, Open>): Promise<string[]> {
  const open: string[] = [];
  for (const [name, isOpen] of made) if (await isOpen()) open.push(name);
  return open;
}
