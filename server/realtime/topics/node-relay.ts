// Carries broadcasts and presence between nodes of one database, as notifications of Postgres: several in one statement and a long one in
// pieces. Nodes greet each other and send heartbeats; a node that is alone sends nothing at all.

import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { roomRoles } from '../../database/room-roles.ts';
import { sql, statement } from '../../database/sql.ts';
import type { Database } from '../../database/types.ts';

export interface NodeRelayEvents {
  onMessage(node: string, message: Readonly<Record<string, unknown>>): void;
  /** There is a node that was not known, or some may have missed something: they want to know all we have. */
  onAsked(): void;
  /** It has said nothing for a while, or goodbye. */
  onGone(node: string): void;
}

const channel = 'kanbase_realtime';
/** Postgres takes less than 8000 bytes in a notification. */
const pieceBytes = 7000;
const beatMs = 3000;
const silentMs = 10_000;
/** Several within a moment go together. */
const gatherMs = 2;
/** Beyond this the database is not keeping up, and what is newest is dropped. */
const waitingLimit = 20_000;

export class NodeRelay {
  readonly node = randomBytes(6).toString('hex');
  readonly #database: Database;
  readonly #events: NodeRelayEvents;
  readonly #log: Logger;
  readonly #peers = new Map<string, number>();
  readonly #parts = new Map<string, { readonly texts: string[]; missing: number }>();
  #waiting: string[] = [];
  #sequence = 0;
  #gathering: NodeJS.Timeout | null = null;
  #sending = false;
  /** Something was not told. */
  #lost = false;
  #timer: NodeJS.Timeout | null = null;
  #stopListening: (() => Promise<void>) | null = null;
  #starting: Promise<void> | null = null;
  #closed = false;

  constructor(database: Database, events: NodeRelayEvents, log: Logger) {
    this.#database = database;
    this.#events = events;
    this.#log = log;
  }

  /** Other nodes that are there. */
  get peers(): number {
    return this.#peers.size;
  }

  start(): Promise<void> {
    this.#starting ??= this.#start().catch((error: unknown) => {
      this.#starting = null;
      throw error;
    });
    return this.#starting;
  }

  async #start(): Promise<void> {
    const greet = (): void => this.#say({ t: 'hello' });
    this.#stopListening = await this.#database.listen(channel, (text) => this.#receive(text), greet);
    greet();
    this.#timer = setInterval(() => this.#beat(), beatMs);
    this.#timer.unref();
  }

  /** Tells all other nodes; nothing when there are none. */
  tell(message: Readonly<Record<string, unknown>>): void {
    if (this.#peers.size > 0) this.#say(message);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    if (this.#gathering !== null) clearTimeout(this.#gathering);
    if (this.#stopListening === null) return;
    await this.#stopListening();
    if (this.#peers.size > 0) await this.#notify([this.#envelope({ t: 'bye' })]).catch(() => undefined);
  }

  #beat(): void {
    this.#say({ t: 'beat' });
    const limit = performance.now() - silentMs;
    for (const [node, heardAt] of this.#peers) if (heardAt < limit) this.#forget(node);
  }

  #forget(node: string): void {
    this.#peers.delete(node);
    for (const key of this.#parts.keys()) if (key.startsWith(`${node} `)) this.#parts.delete(key);
    this.#events.onGone(node);
  }

  #envelope(message: Readonly<Record<string, unknown>>): string {
    return `${this.node} ${++this.#sequence} ${JSON.stringify(message)}`;
  }

  #say(message: Readonly<Record<string, unknown>>): void {
    if (this.#closed) return;
    if (this.#waiting.length >= waitingLimit) {
      this.#log.warn('messages to other nodes are dropped: the database takes them too slowly');
      this.#lost = true;
      return;
    }
    this.#waiting.push(...piecesOf(this.#envelope(message)));
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      void this.#flush();
    }, gatherMs);
  }

  async #flush(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    try {
      while (this.#waiting.length > 0) await this.#notify(this.#waiting.splice(0, 500));
      if (this.#lost) {
        this.#lost = false;
        this.#events.onAsked();
      }
    } catch (error) {
      this.#lost = true;
      if (!this.#closed) this.#log.warn({ err: error }, 'other nodes could not be told');
    } finally {
      this.#sending = false;
    }
  }

  /** Order holds within a statement and from one to the next. */
  async #notify(texts: readonly string[]): Promise<void> {
    await this.#database.runAs(
      roomRoles.realtime,
      statement(sql`
        select pg_notify(${channel}, e.value) from jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb) with ordinality as e(value, place)
        order by e.place`),
    );
  }

  #receive(text: string): void {
    const whole = text.startsWith('+') ? this.#gather(text) : text;
    if (whole === null) return;
    const [node = '', , ...rest] = whole.split(' ');
    if (node === this.node || node === '') return;
    let message: Record<string, unknown>;
    try {
      message = JSON.parse(rest.join(' ')) as Record<string, unknown>;
    } catch {
      return;
    }
    if (message.t === 'bye') {
      this.#forget(node);
      return;
    }
    const known = this.#peers.has(node);
    this.#peers.set(node, performance.now());
    const asks = message.t === 'hello' && (message.to === undefined || message.to === this.node);
    if (!known || asks) this.#events.onAsked();
    // It may know us and have been forgotten here.
    if (!known && message.t !== 'all') this.#say({ t: 'hello', to: node });
    if (message.t !== 'hello' && message.t !== 'beat') this.#events.onMessage(node, message);
  }

  /** `+id place/count text`; null until all have come. */
  #gather(text: string): string | null {
    const match = /^\+(\S+ \d+) (\d+)\/(\d+) (.*)$/s.exec(text);
    if (match === null) return null;
    const [, id = '', place = '', count = '', piece = ''] = match;
    if (id.startsWith(`${this.node} `)) return null;
    const entry = this.#parts.get(id) ?? { texts: [], missing: Number(count) };
    this.#parts.set(id, entry);
    entry.texts[Number(place)] = piece;
    entry.missing--;
    if (entry.missing > 0) return null;
    this.#parts.delete(id);
    return Buffer.from(entry.texts.join(''), 'base64').toString('utf8');
  }
}

function piecesOf(text: string): string[] {
  if (Buffer.byteLength(text) <= pieceBytes) return [text];
  const encoded = Buffer.from(text).toString('base64');
  const [node = '', sequence = ''] = text.split(' ', 2);
  const count = Math.ceil(encoded.length / pieceBytes);
  return Array.from(
    { length: count },
    (_, index) =>
      `+${node} ${sequence} ${index}/${count} ${encoded.slice(index * pieceBytes, (index + 1) * pieceBytes)}`,
  );
}
