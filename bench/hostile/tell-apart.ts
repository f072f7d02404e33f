// Measures timing leaks: the same question about something of others' and about nothing, by turns. Both are answered alike; differences of
// their times are counted here, and bench-hostile.ts writes them down.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { projectId } from '../cases.ts';
import type { Stage } from '../stage.ts';
import { taskId } from '../statements.ts';

export interface Apart {
  readonly what: string;
  /** How often, of a pair, the answer about what is there comes later: 0.5 tells nothing. */
  readonly later: number;
  /** As far as it would be from 0.5 by chance alone, in 19 of 20 runs. */
  readonly chance: number;
  readonly there: number;
  readonly nowhere: number;
}

type Send = (method: string, path: string, body?: unknown, prefer?: string) => Promise<unknown>;

const fileOf = (id: string): string => `${projectId(4)}/${id}/notes.txt`;

/** What is asked about a task of others, and how. */
const questions: Readonly<Record<string, (send: Send, id: string) => Promise<unknown>>> = {
  'a task by its id': (send, id) => send('GET', `/rest/v1/tasks?id=eq.${id}`),
  'by a list of ids': (send, id) => send('GET', `/rest/v1/tasks?id=in.(${id})`),
  'how many have it': (send, id) => send('HEAD', `/rest/v1/tasks?id=eq.${id}`, undefined, 'count=exact'),
  'changing it': (send, id) => send('PATCH', `/rest/v1/tasks?id=eq.${id}`, { title: 'Mine' }),
  'deleting it': (send, id) => send('DELETE', `/rest/v1/tasks?id=eq.${id}`),
  'moving it': (send, id) => send('POST', '/rest/v1/rpc/move_task', { task_id: id, column_id: id }),
  'its file': (send, id) => send('GET', `/storage/v1/object/attachments/${fileOf(id)}`),
  'links to its file': (send, id) =>
    send('POST', '/storage/v1/object/sign/attachments', { expiresIn: 60, paths: [fileOf(id)] }),
  'its labels (answered at once)': (send, id) => send('GET', `/rest/v1/task_label_links?task_id=eq.${id}`),
};

export async function tellApart(stage: Stage, say: (line: string) => void): Promise<Apart[]> {
  await layFiles(stage);
  const stranger = await stage.tokenFor(randomUUID());
  const send: Send = (method, path, body, prefer = '') =>
    fetch(`${stage.url}${path}`, {
      method,
      headers: {
        apikey: stage.anonKey,
        authorization: `Bearer ${stranger}`,
        prefer,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).then((response) => response.text());
  const all: Apart[] = [];
  for (const [what, question] of Object.entries(questions)) {
    const apart = await compare(what, (id) => question(send, id));
    all.push(apart);
    say(`${what}, for a stranger: ${apart.later.toFixed(3)} (0.5 ± ${apart.chance.toFixed(3)} tells nothing)`);
  }
  return all;
}

async function compare(what: string, question: (id: string) => Promise<unknown>): Promise<Apart> {
  const [theirs, nobodys]: [number[], number[]] = [[], []];
  for (let index = 0; index < 2000; index++) {
    const isTheirs = index % 2 === 0;
    // Every third task has labels.
    const id = isTheirs ? taskId(4, 3 + 3 * (index % 60)) : randomUUID();
    const began = performance.now();
    await question(id);
    (isTheirs ? theirs : nobodys).push(performance.now() - began);
  }
  for (const times of [theirs, nobodys]) times.sort((a, b) => a - b);
  return {
    what,
    later: shareLater(theirs, nobodys),
    chance: 1.96 * Math.sqrt((theirs.length + nobodys.length + 1) / (12 * theirs.length * nobodys.length)),
    there: theirs[theirs.length >> 1] ?? 0,
    nowhere: nobodys[nobodys.length >> 1] ?? 0,
  };
}

/** Of all pairs, those in which the first is the longer one (Mann and Whitney's U as a share). Both are sorted. */
function shareLater(some: readonly number[], others: readonly number[]): number {
  let [below, sum] = [0, 0];
  for (const one of some) {
    while (below < others.length && (others[below] as number) < one) below++;
    sum += below;
  }
  return sum / (some.length * others.length);
}

/** A file for each task of the project: rows without bytes, which nobody gets to. */
async function layFiles(stage: Stage): Promise<void> {
  const owner = new pg.Client(connectionOptions(stage.ownerUrl));
  await owner.connect();
  await owner.query('alter table storage.objects disable trigger user');
  await owner.query(
    `insert into storage.objects (bucket_id, name, version, metadata)
      select 'attachments', t.project_id || '/' || t.id || '/notes.txt', gen_random_uuid(), '{}' from public.tasks t where t.project_id = $1`,
    [projectId(4)],
  );
  await owner.query('alter table storage.objects enable trigger user');
  await owner.end();
}
