// Sessions that this process knows, in the order of their last use: bounded in number and time. One with subscriptions that is forgotten is ended, so that
// its client hears of it and begins another.

import type { Holder } from './session-ids.ts';

/** Of one person; beyond these, and beyond all, the one that was used last the longest ago is forgotten. */
const mostOfPerson = 50;
const mostHeld = 5000;
const mostEnded = 10_000;
/** A stream at another process is told of more often (open-sessions.ts). */
const idleMs = 15 * 60_000;
const sweepMs = 60_000;

export type Wire = Readonly<Record<string, unknown>>;

/** A request under way. */
export interface Exchange {
  /** An answer of its client to a question of ours; false: it is to another one. */
  deliver(message: Wire): boolean;
  cancel(): void;
}

/** The stream of a session: told of each subscription, and closed with the session. */
export interface SessionStream {
  /** `mayHaveChanged`: since its client asked for what is new, which was at another process or before there was a stream. */
  follow(mayHaveChanged: boolean): Promise<void>;
  close(): void;
}

export interface ClientSession {
  readonly name: string;
  readonly holder: Holder;
  readonly uris: Set<string>;
  /** What the client said of itself; null: to another process. */
  introduction: unknown;
  stream: SessionStream | null;
  readonly exchanges: Map<unknown, Exchange>;
  /** All that was subscribed to is known here. */
  isWhole: boolean;
  usedAt: number;
}

interface HeldSessions {
  get(name: string): ClientSession | undefined;
  /** Known or not. */
  hold(name: string, holder: Holder): ClientSession;
  all(): readonly ClientSession[];
  ofPerson(person: string): readonly ClientSession[];
  /** Ends those of them that have had no stream anywhere for so long. */
  endIdle(sessions: readonly ClientSession[], forMs: number): void;
  isEnded(name: string): boolean;
  end(name: string): void;
  /** Of these keys and sign-ins. */
  endOf(grants: ReadonlySet<string>): void;
  close(): void;
}

export function holdSessions(): HeldSessions {
  const held = new Map<string, ClientSession>();
  const ended = new Set<string>();

  function noteEnd(name: string): void {
    ended.add(name);
    for (const oldest of ended) {
      if (ended.size <= mostEnded) break;
      ended.delete(oldest);
    }
  }
  function forget(session: ClientSession): void {
    held.delete(session.name);
    if (session.uris.size > 0) noteEnd(session.name);
    session.stream?.close();
  }
  function end(name: string): void {
    noteEnd(name);
    const session = held.get(name);
    held.delete(name);
    session?.stream?.close();
    for (const one of session?.exchanges.values() ?? []) one.cancel();
  }
  const ofPerson = (person: string) => [...held.values()].filter(({ holder }) => holder.person === person);

  function endIdle(sessions: readonly ClientSession[], forMs: number): void {
    const since = performance.now() - forMs;
    for (const one of sessions) if (one.usedAt < since && isIdle(one)) forget(one);
  }
  const sweep = setInterval(() => endIdle([...held.values()], idleMs), sweepMs);
  sweep.unref();

  return {
    get: (name) => held.get(name),
    hold(name, holder) {
      const known = held.get(name);
      const session: ClientSession = known ?? {
        ...{ name, holder, uris: new Set(), introduction: null, stream: null, exchanges: new Map() },
        ...{ isWhole: false, usedAt: 0 },
      };
      session.usedAt = performance.now();
      held.delete(name);
      held.set(name, session);
      if (known === undefined) {
        const own = ofPerson(holder.person);
        const oldest = own.length > mostOfPerson ? own : held.size > mostHeld ? [...held.values()] : [];
        const left = oldest.find(isIdle) ?? oldest[0];
        if (left !== undefined) forget(left);
      }
      return session;
    },
    all: () => [...held.values()],
    ofPerson,
    endIdle,
    isEnded: (name) => ended.has(name),
    end,
    endOf(grants) {
      for (const { name, holder } of [...held.values()]) if (grants.has(holder.grant)) end(name);
    },
    close() {
      clearInterval(sweep);
      for (const { stream } of held.values()) stream?.close();
      held.clear();
    },
  };
}

/** What a client sends beside its requests; false: it is about a request at another process. */
export function deliver({ exchanges }: ClientSession, message: Wire): boolean {
  const { method, params } = message as { method?: unknown; params?: { requestId?: unknown } };
  if (method === 'notifications/cancelled') {
    const exchange = exchanges.get(params?.requestId);
    exchange?.cancel();
    return exchange !== undefined;
  }
  // Nothing else that clients tell is asked for.
  return method !== undefined || [...exchanges.values()].some((exchange) => exchange.deliver(message));
}

const isIdle = ({ stream, exchanges }: ClientSession): boolean => stream === null && exchanges.size === 0;
