// The socket: one channel for each thing that is looked at, joined when it is looked at and left a while after. Changes of rows are
// handed on in batches, as fast as they can be drawn. Whenever something may have been missed, what is looked at is asked for again.

import type { RealtimeChannel, RealtimePostgresChangesPayload } from '@supabase/supabase-js';
import type { Door } from '../door.ts';
import { openFetches } from '../rows/fetches.ts';
import type { Refetch } from '../rows/refetch.ts';
import { keyOf } from '../rows/rows.ts';
import type { RowChange } from '../rows/store.ts';
import { servedName } from '../tables.ts';
import { openCoalescing } from './coalesce.ts';
import { type Binding, type Follower, type Following, followingOf, projectOfTopic } from './following.ts';
import type { OpenPresence } from './presence.ts';
import { watchForSleep } from './sleep.ts';

export interface LivePorts {
  readonly door: Door;
  readonly follower: Follower;
  readonly refetch: Refetch;
  readonly receive: (incoming: readonly IncomingChange[]) => void;
  /** Changes begin to come, or begin anew. */
  readonly onBegin: () => void;
  readonly onChange: () => void;
  /** What the channels of projects are for beside rows. */
  readonly presence: Pick<OpenPresence, 'prepare' | 'joined' | 'left'>;
  /** Now is no moment to move anything. */
  readonly isHeld: () => boolean;
  /** Names this window among the others. */
  readonly window: string;
}

/** A change as it came. */
export interface IncomingChange {
  readonly change: RowChange;
  /** Of use only for rows that are here. */
  readonly knownOnly: boolean;
}

export type LiveState = 'starting' | 'live' | 'down';

interface Topic {
  readonly name: string;
  readonly following: Following;
  readonly sources: Set<string>;
  channel: RealtimeChannel | null;
  /** Changes come, and none was missed since the sources were last asked for. */
  follows: boolean;
  tries: number;
  retry: ReturnType<typeof setTimeout> | undefined;
  leave: ReturnType<typeof setTimeout> | undefined;
  /** Asked for again when the window is seen. */
  isStale: boolean;
}

type Change = RealtimePostgresChangesPayload<Record<string, unknown>>;

/** Someone who goes from the board to the list and back keeps the channel. */
const leaveAfter = 15_000;
const retryPauses = [500, 1000, 2000, 5000, 10_000];

const visible = (): boolean => document.visibilityState === 'visible';

export function openLive(ports: LivePorts) {
  const { door, refetch, onBegin, onChange } = ports;
  const topics = new Map<string, Topic>();
  const batch = openCoalescing(ports.receive, ports.isHeld);
  const fetches = openFetches(refetch);
  let closed = false;
  let state: LiveState = 'starting';
  const { join, leave } = openChannels(ports, {
    isWanted: ({ name }) => !closed && topics.has(name),
    onJoined,
    onLost,
    onPayload,
  });

  function noteState(): void {
    const next = stateOf([...topics.values()]);
    if (next === state) return;
    state = next;
    onChange();
  }

  function onLost(topic: Topic): void {
    if (topic.follows) batch.flush();
    topic.follows = false;
    topic.tries++;
    noteState();
  }

  /** From now on every change comes; what was before is asked for. */
  function onJoined(topic: Topic): void {
    if (!topic.follows) onBegin();
    topic.follows = true;
    topic.tries = 0;
    topic.isStale = true;
    noteState();
    refetchStale();
  }

  function refetchStale(): void {
    if (closed || !visible()) return;
    const stale = new Set<string>();
    for (const topic of topics.values()) {
      if (!topic.isStale || !topic.follows) continue;
      topic.isStale = false;
      for (const name of topic.sources) stale.add(name);
    }
    if (stale.size === 0) return;
    // What waits is older than the answer will be, and must not come over it.
    batch.flush();
    void refetch.refresh((name) => stale.has(name));
  }

  function onPayload(topic: Topic, binding: Binding, payload: Change): void {
    if (payload.errors !== null && payload.errors !== undefined) {
      // Too large to be sent whole.
      topic.isStale = true;
      refetchStale();
      return;
    }
    if (topic.following.means === 'fetch') {
      fetches.want(topic.sources);
      return;
    }
    batch.add({ change: changeOf(binding, payload), knownOnly: binding.knownOnly ?? false });
  }

  function drop(topic: Topic): void {
    topics.delete(topic.name);
    leave(topic);
  }

  /** Joins what is looked at, and leaves what nobody has looked at for a while. */
  function followViewed(): void {
    if (closed) return;
    const wanted = new Map<string, Following>();
    for (const { name, about } of refetch.viewed()) if (about) wanted.set(name, followingOf(about, ports.follower));
    for (const topic of topics.values()) {
      for (const name of topic.sources) if (wanted.get(name)?.topic !== topic.name) topic.sources.delete(name);
      if (topic.sources.size === 0) topic.leave ??= setTimeout(() => drop(topic), leaveAfter);
    }
    for (const [name, following] of wanted) {
      const topic = topics.get(following.topic) ?? newTopic(following);
      addSource(topic, name, () => refetch.viewed().some((one) => one.name === name), noteState);
      if (topics.has(topic.name)) continue;
      topics.set(topic.name, topic);
      void join(topic);
    }
    noteState();
  }

  const stopWatching = watchForSleep(door, refetchStale);
  const unsubscribe = refetch.onViewed(followViewed);
  followViewed();
  return {
    get state(): LiveState {
      return state;
    },
    /** Who follows has become a guest of a project, or a member. */
    follow: followViewed,
    isLive: (name: string): boolean =>
      [...topics.values()].some(({ follows, sources }) => follows && sources.has(name)),
    close(): void {
      closed = true;
      unsubscribe();
      stopWatching();
      batch.close();
      fetches.close();
      for (const topic of [...topics.values()]) drop(topic);
      void door.realtime.disconnect();
    },
  };
}

interface ChannelEvents {
  /** Still looked at. */
  readonly isWanted: (topic: Topic) => boolean;
  /** From now on every change comes. */
  readonly onJoined: (topic: Topic) => void;
  readonly onLost: (topic: Topic) => void;
  readonly onPayload: (topic: Topic, binding: Binding, payload: Change) => void;
}

/** Each topic's channel: joined, joined anew when the server closed it, and left. */
function openChannels(
  { door, presence, window }: LivePorts,
  { isWanted, onJoined, onLost, onPayload }: ChannelEvents,
): { readonly join: (topic: Topic) => Promise<void>; readonly leave: (topic: Topic) => void } {
  async function join(topic: Topic): Promise<void> {
    // The channel of a private topic is asked about with one's token.
    await door.realtime.setAuth().catch(() => undefined);
    if (topic.channel !== null || !isWanted(topic)) return;
    const channel = door.channel(topic.name, { config: { private: true, presence: { key: window } } });
    topic.channel = channel;
    bind(channel, topic.following.bindings, (binding, payload) => onPayload(topic, binding, payload));
    channel.on('system', {}, ({ extension, status }: { extension?: string; status?: string }) => {
      if (extension !== 'postgres_changes' || topic.channel !== channel) return;
      if (status === 'ok') onJoined(topic);
      else onLost(topic);
    });
    const projectId = projectOfTopic(topic.name);
    if (projectId !== null) presence.prepare(projectId, channel);
    channel.subscribe((status) => {
      if (topic.channel !== channel) return;
      if (status === 'SUBSCRIBED') {
        if (projectId !== null) presence.joined(projectId, channel);
        return;
      }
      if (projectId !== null) presence.left(projectId);
      onLost(topic);
      // All else the client tries again by itself.
      if (status === 'CLOSED') rejoin(topic);
    });
  }

  /** The server closed the channel: after a while it may be joined anew. */
  function rejoin(topic: Topic): void {
    topic.channel = null;
    clearTimeout(topic.retry);
    topic.retry = setTimeout(() => void join(topic), retryPauses[topic.tries - 1] ?? retryPauses.at(-1));
  }

  function leave(topic: Topic): void {
    for (const timer of [topic.retry, topic.leave]) clearTimeout(timer);
    const { channel } = topic;
    topic.channel = null;
    const projectId = projectOfTopic(topic.name);
    if (projectId !== null) presence.left(projectId);
    if (channel) void door.removeChannel(channel);
  }

  return { join, leave };
}

/** What is looked at again missed what was fetched for others meanwhile: it counts as live only once it has been asked for. */
function addSource(topic: Topic, name: string, isViewed: () => boolean, onAdd: () => void): void {
  const add = (): void => {
    clearTimeout(topic.leave);
    topic.leave = undefined;
    topic.sources.add(name);
  };
  const hasMissed = topic.following.means === 'fetch' && topic.follows && !topic.sources.has(name);
  if (!hasMissed) add();
  // Who looks at it asks for it in between.
  else
    queueMicrotask(() => {
      if (isViewed()) add();
      onAdd();
    });
}

function stateOf(topics: readonly Topic[]): LiveState {
  const looked = topics.filter(({ sources }) => sources.size > 0);
  if (looked.some(({ follows, tries }) => !follows && tries > 0)) return 'down';
  return looked.length > 0 && looked.every(({ follows }) => follows) ? 'live' : 'starting';
}

function bind(
  channel: RealtimeChannel,
  bindings: readonly Binding[],
  onPayload: (binding: Binding, payload: Change) => void,
): void {
  for (const binding of bindings) {
    const { table, filter, select } = binding;
    const asked = {
      event: '*' as const,
      schema: 'public',
      table: servedName(table),
      ...(filter === undefined ? {} : { filter }),
      select: [...select],
    };
    channel.on('postgres_changes', asked, (payload: Change) => onPayload(binding, payload));
  }
}

function changeOf({ table }: Binding, payload: Change): RowChange {
  if (payload.eventType === 'DELETE') return { table, gone: keyOf(table, payload.old) };
  return { table, row: payload.new } as RowChange;
}

function newTopic(following: Following): Topic {
  return {
    name: following.topic,
    following,
    sources: new Set(),
    channel: null,
    follows: false,
    tries: 0,
    retry: undefined,
    leave: undefined,
    isStale: false,
  };
}
