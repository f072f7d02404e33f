// Load on the cluster: writers with a ledger of acknowledged writes, uploaders, and listeners that do only what docs/build/realtime.md asks of a
// program. Each runs until it is stopped.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';

export interface Place {
  readonly url: string;
  readonly anonKey: string;
  readonly token: string;
  readonly projectId: string;
  readonly columnId: string;
}

/** One write that was acknowledged: when it was first tried, when the answer came. */
export interface Acknowledged {
  readonly writer: number;
  readonly begunAt: number;
  readonly at: number;
}

export class Ledger {
  readonly acknowledged: Acknowledged[] = [];
  /** Tasks by their titles, each written once. */
  readonly titles = new Set<string>();
  readonly ids = new Map<string, string>();
  /** Of each task that is only counted up: the last number acknowledged, and the last tried. */
  readonly counters = new Map<string, { acknowledged: number; tried: number }>();
  /** Files by path, as the digest of what is in them. */
  readonly files = new Map<string, string>();
  /** Answers that no fault excuses. */
  readonly refusals: string[] = [];
  /** Attempts that ended with 503, a broken connection or silence. */
  failed = 0;
  /** Reads that asked for a replica: how many one answered, how many the primary, how many showed less than was acknowledged. */
  readonly reads = { replica: 0, primary: 0, stale: 0 };
  /** When, by which node, and what the stale ones showed. */
  readonly stale: string[] = [];

  note(writer: number, begunAt: number): void {
    this.acknowledged.push({ writer, begunAt, at: Date.now() });
  }
}

interface PlainResponse {
  readonly status: number;
  readonly text: string;
  readonly applied: string | null;
  /** The node that answered. */
  readonly by: string | null;
}

/** 0: nobody answered, and nobody knows whether it was written. */
async function ask(
  place: Place,
  method: string,
  path: string,
  body: string | Buffer | null,
  headers = {},
): Promise<PlainResponse> {
  try {
    const response = await fetch(`${place.url}${path}`, {
      method,
      headers: {
        apikey: place.anonKey,
        authorization: `Bearer ${place.token}`,
        'content-type': Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json',
        ...headers,
      },
      ...(body === null ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      signal: AbortSignal.timeout(8000),
    });
    const applied = response.headers.get('preference-applied');
    const by = response.headers.get('x-served-by');
    return { status: response.status, text: await response.text(), applied, by };
  } catch {
    return { status: 0, text: '', applied: null, by: null };
  }
}

const isLater = ({ status }: PlainResponse): boolean => status === 0 || status === 429 || status >= 500;

export class Load {
  readonly #place: Place;
  readonly #ledger: Ledger;
  #stopped = false;
  readonly #running: Promise<void>[] = [];
  #names = 0;

  constructor(place: Place, ledger: Ledger) {
    this.#place = place;
    this.#ledger = ledger;
  }

  start({ writers, uploads }: { writers: number; uploads: number }): void {
    for (let writer = 0; writer < writers; writer++) {
      const work = [this.#add, this.#addOnce, this.#count][writer % 3] ?? this.#add;
      this.#running.push(work.call(this, writer));
    }
    for (let one = 0; one < uploads; one++) this.#running.push(this.#upload(writers + one));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  /** Tries until there is an answer that says what became of it. */
  async #untilAnswered(attempt: () => Promise<PlainResponse>): Promise<PlainResponse> {
    for (;;) {
      const answer = await attempt();
      if (!isLater(answer)) return answer;
      this.#ledger.failed++;
      await pause(200);
    }
  }

  /** With an id of its own: what is tried again is the same task, as the app does it. */
  async #add(writer: number): Promise<void> {
    const { projectId: project_id, columnId: column_id } = this.#place;
    while (!this.#stopped) {
      const [id, title, begunAt] = [randomUUID(), `Task ${++this.#names}`, Date.now()];
      const body = JSON.stringify({ id, project_id, column_id, title });
      let tries = 0;
      const answer = await this.#untilAnswered(() => {
        tries++;
        return ask(this.#place, 'POST', '/rest/v1/tasks', body, { prefer: 'return=minimal' });
      });
      // Tried again, it may be there already.
      if (answer.status === 201 || (tries > 1 && answer.status === 409 && answer.text.includes('23505'))) {
        this.#ledger.ids.set(id, title);
        this.#ledger.titles.add(title);
        this.#ledger.note(writer, begunAt);
      } else this.#ledger.refusals.push(`${answer.status} ${answer.text}`);
      await pause(30 + Math.random() * 40);
    }
  }

  /** Without an id, and never the same again. */
  async #addOnce(writer: number): Promise<void> {
    const { projectId: project_id, columnId: column_id } = this.#place;
    let begunAt = Date.now();
    while (!this.#stopped) {
      const title = `Once ${++this.#names}`;
      const body = JSON.stringify({ project_id, column_id, title });
      const answer = await ask(this.#place, 'POST', '/rest/v1/tasks', body, { prefer: 'return=minimal' });
      if (answer.status === 201) {
        this.#ledger.titles.add(title);
        this.#ledger.note(writer, begunAt);
      } else if (isLater(answer)) {
        this.#ledger.failed++;
        await pause(200);
        continue;
      } else this.#ledger.refusals.push(`${answer.status} ${answer.text}`);
      await pause(30 + Math.random() * 40);
      begunAt = Date.now();
    }
  }

  /** One task whose estimate is counted up: nothing acknowledged goes back. */
  async #count(writer: number): Promise<void> {
    const { projectId: project_id, columnId: column_id } = this.#place;
    const id = randomUUID();
    const title = `Counter ${writer}`;
    await this.#untilAnswered(() =>
      ask(this.#place, 'POST', '/rest/v1/tasks', JSON.stringify({ id, project_id, column_id, title })),
    );
    this.#ledger.titles.add(title);
    const counter = { acknowledged: 0, tried: 0 };
    this.#ledger.counters.set(id, counter);
    while (!this.#stopped) {
      const begunAt = Date.now();
      const before = counter.tried++;
      const body = JSON.stringify({ description: String(counter.tried) });
      const path = `/rest/v1/tasks?id=eq.${id}&select=description`;
      // A try that nobody waits for any more may still be on its way, and comes too late: it finds another number there and changes nothing.
      const due = `${path}&description=in.("${before === 0 ? '' : before}",${counter.tried})`;
      const answer = await this.#untilAnswered(() =>
        ask(this.#place, 'PATCH', due, body, { prefer: 'return=representation' }),
      );
      if (answer.status === 200 && answer.text === `[{"description":"${counter.tried}"}]`) {
        counter.acknowledged = counter.tried;
        this.#ledger.note(writer, begunAt);
        await this.#readBack(path, counter.acknowledged);
      } else this.#ledger.refusals.push(`${answer.status} ${answer.text}`);
      await pause(30 + Math.random() * 40);
    }
  }

  /** From a replica, by whichever node the proxy chooses: what was acknowledged a moment ago is there. */
  async #readBack(path: string, acknowledged: number): Promise<void> {
    const { reads, stale } = this.#ledger;
    const asked = new Date().toISOString();
    const { status, text, applied, by } = await ask(this.#place, 'GET', path, null, { prefer: 'read=replica' });
    if (status !== 200) return;
    if (applied === 'read=replica') reads.replica++;
    else reads.primary++;
    const seen = Number(/"description":"(\d+)"/.exec(text)?.[1] ?? -1);
    if (seen >= acknowledged) return;
    reads.stale++;
    stale.push(
      `asked ${asked}, answered ${new Date().toISOString()} by ${by}, ${applied ?? 'primary'}: ${seen}, acknowledged ${acknowledged}`,
    );
  }

  async #upload(writer: number): Promise<void> {
    const { projectId, columnId } = this.#place;
    const task = randomUUID();
    const body = JSON.stringify({ id: task, project_id: projectId, column_id: columnId, title: `Files ${writer}` });
    await this.#untilAnswered(() => ask(this.#place, 'POST', '/rest/v1/tasks', body));
    while (!this.#stopped) {
      const bytes = randomBytes(20_000 + Math.floor(Math.random() * 180_000));
      const path = `${projectId}/${task}/${randomUUID()}.bin`;
      const begunAt = Date.now();
      const answer = await this.#untilAnswered(() =>
        ask(this.#place, 'POST', `/storage/v1/object/attachments/${path}`, bytes, { 'x-upsert': 'true' }),
      );
      if (answer.status === 200) {
        this.#ledger.files.set(path, digest(bytes));
        this.#ledger.note(writer, begunAt);
      } else this.#ledger.refusals.push(`${answer.status} ${answer.text}`);
      await pause(300);
    }
  }
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Files that are not there, or not as they were sent. */
export async function wrongFiles(place: Place, ledger: Ledger): Promise<string[]> {
  const wrong: string[] = [];
  for (const [path, expected] of ledger.files) {
    const response = await fetch(`${place.url}/storage/v1/object/authenticated/attachments/${path}`, {
      headers: { apikey: place.anonKey, authorization: `Bearer ${place.token}` },
    });
    const found = digest(new Uint8Array(await response.arrayBuffer()));
    if (response.status !== 200 || found !== expected) wrong.push(`${path}: ${response.status}`);
  }
  return wrong;
}

/** Somebody who has the board open, by the official client. */
export class Listener {
  readonly #client: SupabaseClient;
  readonly #place: Place;
  /** The tasks as this one knows them: by id, with the description. */
  readonly known = new Map<string, string>();
  events = 0;
  /** Times it was told that something may have been missed, or joined anew, and has read again by itself. */
  readAgain = 0;
  #standing = false;
  #reading: Promise<void> = Promise.resolve();

  constructor(place: Place) {
    this.#place = place;
    this.#client = createClient(place.url, place.anonKey, {
      accessToken: async () => place.token,
      realtime: { transport: WebSocket as never, heartbeatIntervalMs: 5000 },
    });
  }

  get isStanding(): boolean {
    return this.#standing;
  }

  async start(): Promise<void> {
    const filter = `project_id=eq.${this.#place.projectId}`;
    // The client would join before it has asked for the token, as somebody who is not signed in.
    await this.#client.realtime.setAuth();
    this.#client
      .channel(`board of ${randomUUID()}`)
      .on('postgres_changes', { event: '*', schema: 'public', table: 'tasks', filter }, (change) => {
        this.events++;
        const row = change.new as { id?: string; description?: string };
        if (row.id !== undefined) this.#learn(row.id, row.description ?? '');
      })
      .on('system', {}, ({ extension, status }: { extension: string; status: string }) => {
        if (extension !== 'postgres_changes') return;
        this.#standing = status === 'ok';
        if (status !== 'ok') return;
        this.readAgain++;
        this.#reading = this.#read().catch(() => undefined);
      })
      .subscribe();
  }

  /** What was read may be older than what came live meanwhile: descriptions are numbers that grow. */
  #learn(id: string, description: string): void {
    if (Number(description) >= Number(this.known.get(id) ?? '')) this.known.set(id, description);
  }

  /** The rows as they are; tried until they come. */
  async #read(): Promise<void> {
    for (let from = 0; ; ) {
      const { data } = await this.#client
        .from('tasks')
        .select('id, description')
        .eq('project_id', this.#place.projectId)
        .order('number')
        .range(from, from + 999);
      if (data === null) {
        await pause(500);
        continue;
      }
      for (const { id, description } of data) this.#learn(id as string, (description as string | null) ?? '');
      if (data.length < 1000) return;
      from += data.length;
    }
  }

  async stop(): Promise<void> {
    await this.#reading;
    await this.#client.removeAllChannels();
    this.#client.realtime.disconnect();
  }
}
