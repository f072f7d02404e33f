// Known values of the fuzzer's instance: two projects with people and something of everything, an operator, and secret addresses: a
// calendar, an invitation, a file, an unsubscribe link. Made through the doors, but for the operator.

import { asCaller, ask } from './ask.ts';
import type { Known } from './fuzz-values.ts';
import { type Door, type Planted, plant, signUp, taken } from './plant.ts';

export interface Learned {
  readonly door: Door;
  readonly serviceKey: string;
  /** What payment events are signed with. */
  readonly webhookSecret: string;
  /** Whoever runs the instance makes an account an operator. */
  readonly makeOperator: (email: string) => Promise<unknown>;
  /** The address by which a person ends mails. */
  readonly unsubscribe: (userId: string) => string;
}

let operators = 0;

export async function learn({ door, serviceKey, webhookSecret, makeOperator, unsubscribe }: Learned): Promise<Known> {
  const [one, other] = [await plant(door), await plant(door)];
  const email = `operator-${process.pid}-${Date.now()}-${operators++}@bench.test`;
  const operator = await signUp(door, email);
  await makeOperator(email);
  const opened = await openLinks(door, one);
  const { pathname, search, searchParams } = new URL(unsubscribe(one.editor.id));
  return {
    ids: [...one.ids, ...other.ids, '00000000-0000-4000-8000-000000000000'],
    files: [...one.files, `${one.project}/${one.tasks[1]}/new.txt`, `${other.owner.id}/face.png`, 'a', ''],
    anonKey: door.anonKey,
    serviceKey,
    tokens: [one.owner.token, one.editor.token, other.owner.token, operator.token],
    operator: operator.token,
    feeds: opened.feeds,
    links: [...opened.links, `${pathname}${search}`],
    secrets: [...opened.secrets, searchParams.get('token') ?? ''],
    webhookSecret,
  };
}

/** A calendar of one's own and of a project, an invitation, and a signed address of a file. */
async function openLinks(
  door: Door,
  { owner, project, files }: Planted,
): Promise<Pick<Known, 'feeds' | 'links' | 'secrets'>> {
  const post = async <T>(path: string, body: unknown): Promise<T> =>
    taken<T>(
      await ask(door.agent, door.url, {
        method: 'POST',
        path,
        headers: asCaller(door.anonKey, owner.token),
        body: JSON.stringify(body),
      }),
    );
  type Feed = { token: string; path: string };
  const feeds = [
    await post<Feed>('/rest/v1/rpc/create_calendar_feed', { kind: 'mine' }),
    await post<Feed>('/rest/v1/rpc/create_calendar_feed', { kind: 'project', project_id: project }),
  ];
  const invitation = await post<{ token: string }>('/rest/v1/rpc/invite_member', {
    project_id: project,
    email: 'person1@fuzz.test',
  });
  const [file = ''] = files;
  const { signedURL } = await post<{ signedURL: string }>(`/storage/v1/object/sign/attachments/${file}`, {
    expiresIn: 3600,
  });
  const signed = new URL(`/storage/v1${signedURL}`, door.url);
  return {
    feeds: feeds.map(({ path }) => path.split('/').at(-1) ?? ''),
    links: [...feeds.map(({ path }) => path), `/invitation/${invitation.token}`, `${signed.pathname}${signed.search}`],
    secrets: [invitation.token, signed.searchParams.get('token') ?? '', ...feeds.map(({ token }) => token)],
  };
}
