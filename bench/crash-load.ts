// Writers at every door, who keep a ledger of what was acknowledged and of what nobody answered, and a listener who reads again
// whenever the connection was gone, as the app does.

import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { asCaller, ask, type HttpRequest, type HttpResponse, NoResponse } from './ask.ts';
import type { Door, Person, Planted } from './plant.ts';
import { type BenchClient, follow, openClient } from './realtime-client.ts';
import type { Dice } from './seeded.ts';

/** Acknowledged, or nobody knows: the connection broke, or the service said that it cannot just now. */
type Known = 'there' | 'unknown';

export interface Ledger {
  /** By title. */
  readonly tasks: Map<string, Known>;
  /** By text. */
  readonly comments: Map<string, Known>;
  /** Where a task may stand, by its id. */
  readonly places: Map<string, Set<string>>;
  /** By name: what the bytes hash to. */
  readonly files: Map<string, { readonly hash: string; known: Known }>;
  readonly leads: Map<string, Known>;
  /** When acknowledged writes were sent. */
  readonly sentAt: number[];
  readonly refusals: Map<string, number>;
  /** What should not have been answered at all. */
  readonly faults: string[];
}

export const openLedger = (): Ledger => ({
  tasks: new Map(),
  comments: new Map(),
  places: new Map(),
  files: new Map(),
  leads: new Map(),
  sentAt: [],
  refusals: new Map(),
  faults: [],
});

export interface Load {
  stop(): Promise<void>;
}

export function startWriters(door: Door, planted: Planted, ledger: Ledger, count: number, dice: Dice): Load {
  let over = false;
  const writers = Array.from({ length: count }, (_, at) =>
    write({ door, planted, ledger, dice, isOver: () => over, who: at % 2 === 0 ? planted.owner : planted.editor }),
  );
  return {
    stop: async () => {
      over = true;
      await Promise.all(writers);
    },
  };
}

interface Writer {
  readonly door: Door;
  readonly planted: Planted;
  readonly ledger: Ledger;
  readonly dice: Dice;
  readonly who: Person;
  isOver(): boolean;
}

async function write(writer: Writer): Promise<void> {
  const own: string[] = [];
  while (!writer.isOver()) {
    const drawn = writer.dice.below(20);
    if (drawn < 6) await addTask(writer, own);
    else if (drawn < 11) await addComment(writer);
    else if (drawn < 16) await moveTask(writer, own);
    else if (drawn < 19) await addFile(writer);
    else await leaveLead(writer);
  }
}

/** True: acknowledged. False: nobody knows. Null: refused, for whatever reason, by a server that lives. */
async function send({ door, ledger, who }: Writer, question: HttpRequest): Promise<HttpResponse | null> {
  const sentAt = performance.now();
  try {
    const answer = await ask(door.agent, door.url, {
      ...question,
      headers: asCaller(door.anonKey, who.token, question.headers),
    });
    if (answer.status < 300) {
      ledger.sentAt.push(sentAt);
      return answer;
    }
    const words = `${answer.status} ${answer.body.toString().slice(0, 200)}`;
    if (answer.status !== 503 && answer.status !== 507)
      ledger.faults.push(`${question.method} ${question.path}: ${words}`);
    count(ledger, words.replaceAll(/[0-9a-f-]{36}/g, '…'));
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    if (error.late) ledger.faults.push(error.message);
    count(ledger, 'the connection broke');
  }
  // Whoever is refused comes again in a moment.
  await pause(20);
  return null;
}

function count({ refusals }: Ledger, what: string): void {
  refusals.set(what, (refusals.get(what) ?? 0) + 1);
}

async function addTask(writer: Writer, own: string[]): Promise<void> {
  const { planted, ledger, dice } = writer;
  const [title, column] = [randomUUID(), dice.pick(planted.columns)];
  ledger.tasks.set(title, 'unknown');
  const answer = await send(writer, {
    method: 'POST',
    path: '/rest/v1/tasks?select=id',
    headers: { prefer: 'return=representation' },
    body: JSON.stringify({ project_id: planted.project, column_id: column, title }),
  });
  if (answer === null) return;
  ledger.tasks.set(title, 'there');
  const [{ id }] = JSON.parse(answer.body.toString()) as [{ id: string }];
  own.push(id);
  ledger.places.set(id, new Set([column]));
}

async function addComment(writer: Writer): Promise<void> {
  const { planted, ledger, dice } = writer;
  const body = randomUUID();
  ledger.comments.set(body, 'unknown');
  const answer = await send(writer, {
    method: 'POST',
    path: '/rest/v1/task_comments',
    body: JSON.stringify({ task_id: dice.pick(planted.tasks), body }),
  });
  if (answer !== null) ledger.comments.set(body, 'there');
}

async function moveTask(writer: Writer, own: readonly string[]): Promise<void> {
  const { planted, ledger, dice } = writer;
  if (own.length === 0) return;
  const [task, column] = [dice.pick(own), dice.pick(planted.columns)];
  const places = ledger.places.get(task) ?? new Set();
  places.add(column);
  const answer = await send(writer, {
    method: 'POST',
    path: '/rest/v1/rpc/move_task',
    body: JSON.stringify({ task_id: task, column_id: column }),
  });
  if (answer === null) return;
  places.clear();
  places.add(column);
}

async function addFile(writer: Writer): Promise<void> {
  const { planted, ledger, dice } = writer;
  const name = `${planted.project}/${dice.pick(planted.tasks)}/${randomUUID()}.bin`;
  const body = Buffer.alloc(1000 + dice.below(60_000), randomUUID());
  const file = { hash: hashOf(body), known: 'unknown' as Known };
  ledger.files.set(name, file);
  const answer = await send(writer, {
    method: 'POST',
    path: `/storage/v1/object/attachments/${name}`,
    headers: { 'content-type': 'application/octet-stream' },
    body,
  });
  if (answer !== null) file.known = 'there';
}

async function leaveLead(writer: Writer): Promise<void> {
  const email = `${randomUUID()}@bench.test`;
  writer.ledger.leads.set(email, 'unknown');
  const answer = await send(writer, { method: 'POST', path: '/api/lead', body: JSON.stringify({ email }) });
  if (answer !== null) writer.ledger.leads.set(email, 'there');
}

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

export interface Listener {
  /** Comments it knows, by text. */
  readonly seen: ReadonlySet<string>;
  /** How often one came twice on the same connection. */
  twice(): number;
  /** How often it had to connect again, which the client does by itself. */
  connections(): number;
  stop(): Promise<void>;
}

const followed = Buffer.from('"extension":"postgres_changes"');
const commentBody = /"body":"([0-9a-f-]{36})"/g;

/** Follows the comments of a project; reads them whenever the server says that from now on it has all changes. */
export function listen(door: Door, planted: Planted): Listener {
  const seen = new Set<string>();
  let [twice, connections, over] = [0, 0, false];
  let client: BenchClient | null = null;
  const reading = new Set<Promise<void>>();
  const readAgain = async (): Promise<void> => {
    const answer = await ask(door.agent, door.url, {
      method: 'GET',
      path: `/rest/v1/task_comments?select=body&project_id=eq.${planted.project}`,
      headers: asCaller(door.anonKey, planted.owner.token),
    }).catch(() => null);
    if (answer?.status !== 200) {
      if (over) return;
      await pause(50);
      return readAgain();
    }
    for (const [, body = ''] of answer.body.toString().matchAll(commentBody)) seen.add(body);
  };
  const run = (async () => {
    while (!over) {
      client = await openClient(door).catch(() => null);
      if (client === null) {
        await pause(30);
        continue;
      }
      connections++;
      const came = new Set<string>();
      client.onFrame = (bytes, start, end) => {
        const text = bytes.toString('utf8', start, end);
        if (text.includes(followed.toString()) && text.includes('"status":"ok"')) {
          const read = readAgain();
          reading.add(read);
          void read.then(() => reading.delete(read));
          return;
        }
        if (!text.includes('"INSERT"')) return;
        for (const body of new Set([...text.matchAll(commentBody)].map(([, found = '']) => found))) {
          if (came.has(body)) twice++;
          came.add(body);
          seen.add(body);
        }
      };
      const topic = planted.project;
      const filter = `project_id=eq.${topic}`;
      follow(client, planted.owner.token, { topic, tables: ['task_comments'], filter, event: 'INSERT' });
      await client.closed;
    }
  })();
  return {
    seen,
    twice: () => twice,
    connections: () => connections,
    stop: async () => {
      over = true;
      client?.socket.destroy();
      await run;
      await Promise.all(reading);
    },
  };
}
