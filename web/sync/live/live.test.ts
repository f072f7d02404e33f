// The channels of what is looked at: what waits under a hand is shown before anything that was missed is asked for, and a channel that is
// left takes its faces along.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Refetch, Source } from '../rows/refetch.ts';
import { openLive } from './live.ts';

type Listener = (payload: object) => void;

beforeEach(() => {
  vi.useFakeTimers();
  const page = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('document', { ...page, visibilityState: 'visible' });
  vi.stubGlobal('window', page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Someone who looks at one project; what happens is told in its order. */
async function world() {
  const told: string[] = [];
  const heard = new Map<string, Listener>();
  let look = (): void => undefined;
  const channel = {
    on: (kind: string, asked: { table?: string }, listener: Listener) => heard.set(asked.table ?? kind, listener),
    subscribe: () => undefined,
  };
  const door = {
    realtime: { setAuth: async () => undefined, isConnected: () => false, disconnect: () => undefined },
    channel: () => channel,
    removeChannel: () => told.push('channel left'),
  };
  let viewed: readonly Pick<Source, 'name' | 'about'>[] = [
    { name: 'project p', about: { kind: 'project', projectId: 'p' } },
  ];
  const refetch: Partial<Record<keyof Refetch, unknown>> = {
    viewed: () => viewed,
    onViewed(listener: () => void) {
      look = listener;
      return () => undefined;
    },
    refresh: async () => told.push('asked'),
  };
  openLive({
    door: door as never,
    follower: { userId: 'ada', isGuestIn: () => false },
    refetch: refetch as unknown as Refetch,
    receive: (some) => told.push(...some.map(() => 'shown')),
    onBegin: () => told.push('begun'),
    onChange: () => undefined,
    presence: {
      prepare: () => undefined,
      joined: () => undefined,
      left: (projectId) => told.push(`faces of ${projectId} left`),
    },
    isHeld: () => true,
    window: 'one',
  });
  await vi.advanceTimersByTimeAsync(0);
  return {
    told,
    change: (more: object = {}) =>
      heard.get('tasks')?.({ eventType: 'UPDATE', new: { id: 'a' }, errors: null, ...more }),
    stands: (status: string) => heard.get('system')?.({ extension: 'postgres_changes', status }),
    async lookAway(ms: number) {
      viewed = [];
      look();
      await vi.advanceTimersByTimeAsync(ms);
    },
  };
}

test('changes held back are shown before missed ones are asked for', async () => {
  const { told, change, stands } = await world();
  stands('ok');
  expect(told.splice(0)).toEqual(['begun', 'asked']);
  change();
  expect(told).toEqual([]);
  stands('error');
  stands('ok');
  expect(told.splice(0)).toEqual(['shown', 'begun', 'asked']);
  change();
  change({ errors: ['too large'] });
  expect(told).toEqual(['shown', 'asked']);
});

test('a project that nobody looks at any more has no faces', async () => {
  const { told, lookAway } = await world();
  await lookAway(20_000);
  expect(told).toEqual(['faces of p left', 'channel left']);
});
