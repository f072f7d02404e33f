// The session bootstrap as the interface specification has it (5.9), with a clock that the test turns.

import { describe, expect, test } from 'vitest';
import {
  bootstrapLimit,
  holdSession,
  type LiveSession,
  type ProfileColumns,
  type SessionPorts,
  signOutLimit,
} from './session.ts';

const ada: LiveSession = { user: { id: 'ada', email: 'ada@example.test' }, factorDue: false };
const bob: LiveSession = { user: { id: 'bob', email: 'bob@example.test' }, factorDue: false };
const never = new Promise<never>(() => undefined);

interface World extends SessionPorts {
  readonly log: string[];
  turn(ms: number): Promise<void>;
  announce(event: string, session: LiveSession | null): Promise<void>;
}

function world(given: Partial<SessionPorts> = {}): World {
  let now = 0;
  let timers: { at: number; work: () => void }[] = [];
  let hear: (event: string, session: LiveSession | null) => void = () => undefined;
  const log: string[] = [];
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 20; round++) await Promise.resolve();
  };
  return {
    log,
    async turn(ms) {
      await settle();
      now += ms;
      const due = timers.filter((timer) => timer.at <= now);
      timers = timers.filter((timer) => timer.at > now);
      for (const timer of due) timer.work();
      await settle();
    },
    async announce(event, session) {
      hear(event, session);
      await settle();
    },
    restore: async () => ada,
    readProfile: async (id): Promise<ProfileColumns | null> => {
      log.push(`profile ${id}`);
      return { id, display_name: id.toUpperCase(), avatar_url: null };
    },
    rememberedProfile: () => null,
    listen: (listener) => {
      log.push('listen');
      hear = listener;
      return () => log.push('unlisten');
    },
    signOutRemotely: async () => void log.push('sign out'),
    clearLocally: async () => void log.push('clear'),
    forget: async (id) => void log.push(`forget ${id}`),
    setTimer: (work, ms) => {
      const timer = { at: now + ms, work };
      timers.push(timer);
      return timer;
    },
    clearTimer: (handle) => {
      timers = timers.filter((timer) => timer !== handle);
    },
    ...given,
  };
}

describe('bootstrap', () => {
  test('restores, reads the profile, sets all three, ends loading, then listens', async () => {
    const around = world();
    const holder = holdSession(around);
    const seen: boolean[] = [];
    holder.subscribe(() => seen.push(holder.state.loading));
    expect(holder.state).toEqual({ loading: true, session: null, user: null, profile: null });
    await holder.start();
    expect(holder.state).toEqual({
      loading: false,
      session: ada,
      user: ada.user,
      profile: { id: 'ada', displayName: 'ADA', avatarUrl: null },
    });
    expect(seen).toEqual([false]);
    expect(around.log).toEqual(['profile ada', 'listen']);
  });

  test('a profile this device knows is there at once, and what the server says of it follows', async () => {
    let answer: (row: ProfileColumns) => void = () => undefined;
    const around = world({
      rememberedProfile: (id) => ({ id, display_name: 'Ada as she was', avatar_url: null }),
      readProfile: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const holder = holdSession(around);
    await holder.start();
    expect(holder.state).toMatchObject({ loading: false, user: ada.user, profile: { displayName: 'Ada as she was' } });
    answer({ id: 'ada', display_name: 'Ada as she is' });
    await around.turn(0);
    expect(holder.state.profile).toEqual({ id: 'ada', displayName: 'Ada as she is', avatarUrl: null });
  });

  test('without a session no profile is read and loading ends', async () => {
    const around = world({ restore: async () => null });
    const holder = holdSession(around);
    await holder.start();
    expect(holder.state).toEqual({ loading: false, session: null, user: null, profile: null });
    expect(around.log).toEqual(['listen']);
  });

  test('no profile row is null, absent columns are null', async () => {
    const without = holdSession(world({ readProfile: async () => null }));
    await without.start();
    expect(without.state.profile).toBeNull();
    expect(without.state.user).toEqual(ada.user);
    const bare = holdSession(world({ readProfile: async () => ({ id: 'ada' }) }));
    await bare.start();
    expect(bare.state.profile).toEqual({ id: 'ada', displayName: null, avatarUrl: null });
  });

  test('a profile that cannot be read keeps nobody out', async () => {
    const holder = holdSession(world({ readProfile: async () => Promise.reject(new Error('503')) }));
    await holder.start();
    expect(holder.state).toMatchObject({ loading: false, session: ada, profile: null });
  });

  test('a broken restore is nobody', async () => {
    const holder = holdSession(world({ restore: async () => Promise.reject(new Error('bad cookie')) }));
    await holder.start();
    expect(holder.state).toMatchObject({ loading: false, session: null });
  });
});

describe('the limit', () => {
  test.each([
    ['restoring', { restore: () => never }],
    ['reading the profile', { readProfile: () => never }],
  ])('%s for 15 s clears the local session and ends loading, not a moment sooner', async (_, given) => {
    const around = world(given);
    const holder = holdSession(around);
    const started = holder.start();
    await around.turn(bootstrapLimit - 1);
    expect(holder.state.loading).toBe(true);
    expect(around.log).not.toContain('clear');
    await around.turn(1);
    await started;
    expect(holder.state).toEqual({ loading: false, session: null, user: null, profile: null });
    expect(around.log).toContain('clear');
    expect(around.log.at(-1)).toBe('listen');
  });

  test('an answer that comes too late changes nothing', async () => {
    let answer: (row: ProfileColumns) => void = () => undefined;
    const around = world({
      readProfile: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const holder = holdSession(around);
    const started = holder.start();
    await around.turn(bootstrapLimit);
    await started;
    answer({ id: 'ada', display_name: 'Ada' });
    await around.turn(0);
    expect(holder.state).toEqual({ loading: false, session: null, user: null, profile: null });
  });

  test('a bootstrap in time is not cleared later', async () => {
    const around = world();
    const holder = holdSession(around);
    await holder.start();
    await around.turn(bootstrapLimit * 2);
    expect(holder.state.session).toEqual(ada);
    expect(around.log).not.toContain('clear');
  });
});

describe('changes', () => {
  test('signing in elsewhere, another person, signing out: session, user and profile follow', async () => {
    const around = world({ restore: async () => null });
    const holder = holdSession(around);
    await holder.start();
    await around.announce('SIGNED_IN', ada);
    expect(holder.state).toMatchObject({ user: ada.user, profile: { displayName: 'ADA' } });
    await around.announce('SIGNED_IN', bob);
    expect(holder.state).toMatchObject({ user: bob.user, profile: { displayName: 'BOB' } });
    await around.announce('SIGNED_OUT', null);
    expect(holder.state).toEqual({ loading: false, session: null, user: null, profile: null });
  });

  test('the first announcement of the client changes nothing, unless the person has changed by now', async () => {
    const around = world();
    const holder = holdSession(around);
    await holder.start();
    await around.announce('INITIAL_SESSION', ada);
    expect(around.log.filter((line) => line.startsWith('profile'))).toEqual(['profile ada']);
    await around.announce('INITIAL_SESSION', null);
    expect(holder.state).toEqual({ loading: false, session: null, user: null, profile: null });
    // Cleared at the limit, or nobody at all: stays so until someone signs in.
    await around.announce('INITIAL_SESSION', ada);
    expect(holder.state.user).toBeNull();
  });

  test('a refreshed token does not read the profile again', async () => {
    const around = world();
    const holder = holdSession(around);
    await holder.start();
    await around.announce('TOKEN_REFRESHED', ada);
    expect(around.log.filter((line) => line.startsWith('profile'))).toHaveLength(1);
  });
});

describe('signing out', () => {
  test('clears locally after telling the server', async () => {
    const around = world();
    const holder = holdSession(around);
    await holder.start();
    await holder.signOut();
    expect(around.log.slice(-3)).toEqual(['sign out', 'clear', 'forget ada']);
    expect(holder.state.session).toBeNull();
  });

  test('clears locally even if the remote call fails', async () => {
    const around = world({ signOutRemotely: async () => Promise.reject(new Error('no network')) });
    const holder = holdSession(around);
    await holder.start();
    await holder.signOut();
    expect(around.log.slice(-2)).toEqual(['clear', 'forget ada']);
    expect(holder.state).toEqual({ loading: false, session: null, user: null, profile: null });
  });

  test('clears locally even if the remote call never answers', async () => {
    const around = world({ signOutRemotely: () => never });
    const holder = holdSession(around);
    await holder.start();
    const leaving = holder.signOut();
    await around.turn(signOutLimit);
    await leaving;
    expect(around.log.slice(-2)).toEqual(['clear', 'forget ada']);
    expect(holder.state.user).toBeNull();
  });
});
