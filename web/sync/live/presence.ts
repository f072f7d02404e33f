// Presence on a project: others who look at it, and their activity: an open task, a dragged card, a comment being written. Each window
// announces itself on the channel of the project, and leaves it with its socket. People who opted out announce nothing.

import type { RealtimeChannel } from '@supabase/supabase-js';

export type Doing = 'open' | 'drag' | 'type';

/** What one person is at in a project, of all their windows. */
export interface Present {
  readonly userId: string;
  /** By task. */
  readonly tasks: ReadonlyMap<string, readonly Doing[]>;
}

/** What this window is at, by project. */
export type Own = Map<string, Partial<Record<Doing, string>>>;

interface PresencePorts {
  readonly userId: string;
  /** Whether someone wants to be shown. */
  readonly isShown: (userId: string) => boolean;
  /** Hears when that may have changed. */
  readonly onShown: (listener: () => void) => () => void;
  readonly own: Own;
  readonly onChange: () => void;
}

/** What a window tells of itself. */
interface Tracked {
  /** Whoever's token the channel has: the server writes it, whatever was sent. Null: nobody's. */
  readonly user: string | null;
  readonly open?: string;
  readonly drag?: string;
  readonly type?: string;
}

/** Milliseconds between two messages: far below what a channel may send. */
const pause = 400;
/** One thing is let go of right before the next is taken. */
const gather = 30;
/** A short gap is no reason to take faces away. */
const gap = 5000;
/** A window that nobody sees for so long does not look at anything. */
const unseen = 60_000;
const nobody: readonly Present[] = [];
const doings: readonly Doing[] = ['open', 'drag', 'type'];

interface Room {
  readonly channel: RealtimeChannel;
  isJoined: boolean;
  /** What is tracked, and since when. */
  tracked: string;
  trackedAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  leaving: ReturnType<typeof setTimeout> | undefined;
}

export type OpenPresence = ReturnType<typeof openPresence>;

export function openPresence({ userId, own, isShown, onShown, onChange }: PresencePorts) {
  const rooms = new Map<string, Room>();
  const people = new Map<string, readonly Present[]>();
  let hidden: ReturnType<typeof setTimeout> | undefined;
  let away = false;

  function read(projectId: string): void {
    const room = rooms.get(projectId);
    if (room === undefined || !room.isJoined) return;
    const state = room.channel.presenceState<Tracked>();
    const others = new Map<string, Map<string, Set<Doing>>>();
    for (const tracked of Object.values(state).flat()) {
      if (tracked.user === null || tracked.user === userId || !isShown(tracked.user)) continue;
      const tasks = others.get(tracked.user) ?? new Map<string, Set<Doing>>();
      others.set(tracked.user, tasks);
      for (const doing of doings) {
        const task = tracked[doing];
        if (task) tasks.set(task, (tasks.get(task) ?? new Set()).add(doing));
      }
    }
    const list = [...others]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([user, tasks]) => ({
        userId: user,
        tasks: new Map([...tasks].map(([task, some]) => [task, doings.filter((doing) => some.has(doing))])),
      }));
    people.set(projectId, list.length === 0 ? nobody : list);
    onChange();
  }

  function tell(projectId: string): void {
    const room = rooms.get(projectId);
    if (room === undefined || room.timer !== undefined) return;
    room.timer = setTimeout(
      () => {
        room.timer = undefined;
        send(projectId, room);
      },
      Math.max(gather, room.trackedAt + pause - performance.now()),
    );
  }

  function send(projectId: string, room: Room): void {
    if (!room.isJoined) return;
    const tracked: Tracked | null = away || !isShown(userId) ? null : { user: userId, ...own.get(projectId) };
    const text = JSON.stringify(tracked);
    if (text === room.tracked) return;
    room.tracked = text;
    room.trackedAt = performance.now();
    void (tracked === null ? room.channel.untrack() : room.channel.track(tracked));
  }

  const tellAll = (): void => {
    for (const projectId of rooms.keys()) {
      tell(projectId);
      read(projectId);
    }
  };
  const onVisible = (): void => {
    clearTimeout(hidden);
    const leave = (): void => {
      away = true;
      tellAll();
    };
    if (document.visibilityState === 'hidden') hidden = setTimeout(leave, unseen);
    else if (away) {
      away = false;
      tellAll();
    }
  };
  document.addEventListener('visibilitychange', onVisible);
  const unsubscribe = onShown(tellAll);

  return {
    /** Others, in a steady order; the same list until something changes. */
    others: (projectId: string): readonly Present[] => people.get(projectId) ?? nobody,
    /** What this window is at has changed. */
    tell,
    prepare: (projectId: string, channel: RealtimeChannel): void =>
      void channel.on('presence', { event: 'sync' }, () => read(projectId)),
    joined(projectId: string, channel: RealtimeChannel): void {
      const old = rooms.get(projectId);
      for (const timer of [old?.timer, old?.leaving]) clearTimeout(timer);
      // A channel that was joined again knows nothing of this window.
      const tracked = { tracked: 'null', trackedAt: old?.trackedAt ?? 0 };
      rooms.set(projectId, { channel, isJoined: true, ...tracked, timer: undefined, leaving: undefined });
      tell(projectId);
    },
    left(projectId: string): void {
      const room = rooms.get(projectId);
      if (room === undefined) return;
      room.isJoined = false;
      clearTimeout(room.leaving);
      room.leaving = setTimeout(() => {
        clearTimeout(room.timer);
        rooms.delete(projectId);
        people.delete(projectId);
        onChange();
      }, gap);
    },
    close(): void {
      clearTimeout(hidden);
      document.removeEventListener('visibilitychange', onVisible);
      unsubscribe();
      for (const { timer, leaving } of rooms.values()) for (const one of [timer, leaving]) clearTimeout(one);
    },
  };
}
