// Sessions of revision 2025-11-25 on all processes: what a client subscribes to, cancels or answers may reach another process than its stream or its request,
// so they tell each other by notifications of Postgres. Nothing is stored.

import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { sql, statement } from '../../database/sql.ts';
import type { Caller, Database } from '../../database/types.ts';
import type { Sessions } from '../../session/types.ts';
import { type ClientSession, deliver, holdSessions, type SessionStream, type Wire } from './held-sessions.ts';
import { type Holder, makeSessionId, nameOf, readSessionId } from './session-ids.ts';

const channel = 'kanbase_mcp';
/** Postgres takes less than 8000 bytes in a notification. */
const mostBytes = 7900;
const mostUris = 20;
/** Of one person, with subscriptions. */
const mostSubscribed = 10;
/** Streams tell what they follow, lest other processes forget it, or never learn of it. */
const repeatMs = 4 * 60_000;
/** Longer than that. */
const goneMs = 5 * 60_000;

/** After a restart nothing else tells that an id has been idle: from this age on, one that is not known here has ended. */
const oldMs = 24 * 60 * 60_000;

interface Told {
  readonly from: string;
  readonly name: string;
  readonly holder: Holder;
  readonly what: 'subscribe' | 'unsubscribe' | 'stream' | 'end' | 'message';
  readonly uri?: string;
  readonly message?: Wire;
}

export interface McpSessions {
  begin(holder: Holder): { readonly id: string; readonly session: ClientSession };
  /** `forStream`: all of it must be known here, lest its subscriptions be forgotten in silence. */
  find(id: string, holder: Holder, forStream: boolean): ClientSession | null;
  /** False: there are too many. Resolves when changes are followed, where the stream is here. */
  subscribe(session: ClientSession, uri: string, caller: Caller): Promise<boolean>;
  unsubscribe(session: ClientSession, uri: string, caller: Caller): Promise<void>;
  /** In the place of the one there was. */
  openStream(session: ClientSession, stream: SessionStream, caller: Caller): void;
  leaveStream(session: ClientSession, stream: SessionStream): void;
  streamsOf(person: string): number;
  /** A notification or an answer of the client, for a request that is under way here or elsewhere. */
  pass(session: ClientSession, message: Wire, caller: Caller): void;
  end(session: ClientSession, caller: Caller): void;
  start(): Promise<void>;
  close(): Promise<void>;
}

interface Needs {
  readonly database: Pick<Database, 'listen' | 'runAs'>;
  readonly sessions: Pick<Sessions, 'deriveKey' | 'onEnd'>;
  readonly log: Pick<Logger, 'warn'>;
}

export function openSessions({ database, sessions, log }: Needs): McpSessions {
  const key = sessions.deriveKey('mcp sessions');
  const self = randomBytes(6).toString('hex');
  const startedAt = Date.now();
  const held = holdSessions();
  const stopHearingEnds = sessions.onEnd((ids) => held.endOf(ids));
  const followers = new WeakMap<SessionStream, Caller>();
  let unlisten: () => Promise<void> = async () => undefined;
  const repeat = setInterval(() => {
    for (const session of held.all()) {
      const caller = session.stream === null ? undefined : followers.get(session.stream);
      if (caller !== undefined) for (const uri of session.uris) tell(caller, session, 'subscribe', { uri });
    }
  }, repeatMs);
  repeat.unref();

  function tell(
    caller: Caller,
    { name, holder }: ClientSession,
    what: Told['what'],
    more: Pick<Told, 'uri' | 'message'> = {},
  ): void {
    const text = JSON.stringify({ from: self, name, holder, what, ...more } satisfies Told);
    if (Buffer.byteLength(text) > mostBytes) return;
    database
      .runAs(caller, statement(sql`select pg_catalog.pg_notify(${channel}, ${text})`))
      .catch((error: unknown) => log.warn({ err: error }, 'other processes could not be told of an MCP session'));
  }

  function hear(text: string): void {
    let told: Told;
    try {
      told = JSON.parse(text) as Told;
    } catch {
      return;
    }
    const { from, name, holder, what, uri, message } = told;
    if (from === self || held.isEnded(name)) return;
    const known = held.get(name);
    if (what === 'end') held.end(name);
    else if (what === 'stream') known?.stream?.close();
    else if (what === 'message' && known !== undefined && message !== undefined) deliver(known, message);
    if (uri === undefined) return;
    const session = held.hold(name, holder);
    session.isWhole = true;
    if (what === 'unsubscribe') session.uris.delete(uri);
    if (what === 'subscribe' && session.uris.size < mostUris) session.uris.add(uri);
    session.stream
      ?.follow(true)
      .catch((error: unknown) => log.warn({ err: error }, 'a subscription could not be followed'));
  }

  return {
    begin(holder) {
      const id = makeSessionId(key, holder);
      const session = held.hold(nameOf(id), holder);
      session.isWhole = true;
      return { id, session };
    },
    find(id, holder, forStream) {
      const begunAt = readSessionId(key, id, holder);
      const name = nameOf(id);
      if (begunAt === null || held.isEnded(name)) return null;
      if (held.get(name) === undefined && Date.now() - begunAt > oldMs) return null;
      const session = held.hold(name, holder);
      session.isWhole ||= begunAt >= startedAt;
      return forStream && !session.isWhole ? null : session;
    },
    async subscribe(session, uri, caller) {
      const { uris, holder } = session;
      const others = () => held.ofPerson(holder.person).filter((one) => one !== session && one.uris.size > 0);
      const isNew = !uris.has(uri);
      if (isNew && uris.size >= mostUris) return false;
      if (isNew && others().length >= mostSubscribed) held.endIdle(others(), goneMs);
      if (isNew && others().length >= mostSubscribed) return false;
      uris.add(uri);
      if (isNew) tell(caller, session, 'subscribe', { uri });
      await session.stream?.follow(false);
      return true;
    },
    async unsubscribe(session, uri, caller) {
      if (session.uris.delete(uri)) tell(caller, session, 'unsubscribe', { uri });
      await session.stream?.follow(false);
    },
    openStream(session, stream, caller) {
      session.stream?.close();
      session.stream = stream;
      followers.set(stream, caller);
      tell(caller, session, 'stream');
    },
    leaveStream(session, stream) {
      if (session.stream === stream) session.stream = null;
      session.usedAt = performance.now();
    },
    streamsOf: (person) => held.ofPerson(person).filter(({ stream }) => stream !== null).length,
    pass(session, message, caller) {
      if (!deliver(session, message)) tell(caller, session, 'message', { message });
    },
    end(session, caller) {
      held.end(session.name);
      tell(caller, session, 'end');
    },
    async start() {
      unlisten = await database.listen(channel, hear);
    },
    async close() {
      clearInterval(repeat);
      stopHearingEnds();
      held.close();
      await unlisten();
    },
  };
}
