// Keeping fresh what someone looks at: when it is asked for, what is shown before the network answers, and when it is left alone.

import { expect, test } from 'vitest';
import { focusPause, pollInterval, retryInterval, type Source, startRefetch } from './refetch.ts';

function world() {
  const events = new Map<string, () => void>();
  const ticks = new Map<number, () => void>();
  let started = 0;
  let now = 1_000_000;
  const is = { visible: true, busy: false, live: false };
  const page = {
    addEventListener: (name: string, listener: () => void) => void events.set(name, listener),
    removeEventListener: (name: string) => void events.delete(name),
    setInterval: (work: () => void) => {
      ticks.set(++started, work);
      return started;
    },
    clearInterval: (id: number) => void ticks.delete(id),
  };
  const refetch = startRefetch({
    busy: () => is.busy,
    visible: () => is.visible,
    page: page as never,
    clock: () => now,
    pause: async () => undefined,
    isLive: () => is.live,
  });
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 20; round++) await Promise.resolve();
  };
  /** A source whose fetch the test ends. */
  function source(name: string, { memory = false, staysFresh = focusPause } = {}) {
    const asked: { accept: () => void; fail: () => void }[] = [];
    let recall = (_: boolean): void => undefined;
    const one: Source & { saved: number } = {
      name,
      staysFresh,
      saved: 0,
      fetch: () =>
        new Promise((accept, reject) => asked.push({ accept, fail: () => reject(new Error('nobody there')) })),
      load: (wanted) =>
        new Promise((resolve) => {
          recall = (there) => resolve(there && wanted());
        }),
      save: async () => {
        one.saved++;
      },
    };
    return { source: one, asked, recall: () => recall(memory) };
  }
  return {
    refetch,
    source,
    settle,
    is,
    fire: (name: string) => events.get(name)?.(),
    events,
    setClock(by: number) {
      now += by;
    },
    async wait(ms: number) {
      for (let left = ms; left > 0; left -= retryInterval) {
        now += Math.min(left, retryInterval);
        for (const tick of ticks.values()) tick();
        await settle();
      }
    },
  };
}

test('first from this device, then from the network, and kept for the next time', async () => {
  const { refetch, source, settle } = world();
  const board = source('board', { memory: true });
  refetch.open(board.source);
  expect(refetch.state('board')).toEqual({ phase: 'empty' });
  board.recall();
  await settle();
  expect(refetch.state('board')).toEqual({ phase: 'remembered' });
  board.asked[0]?.accept();
  await settle();
  expect(refetch.state('board')).toEqual({ phase: 'fresh' });
  expect(board.source.saved).toBe(1);
});

test('data remembered on the device loses to a faster network, and counts when the network refused', async () => {
  const { refetch, source, settle } = world();
  const [quick, broken] = [source('quick', { memory: true }), source('broken', { memory: true })];
  for (const one of [quick, broken]) refetch.open(one.source);
  quick.asked[0]?.accept();
  broken.asked[0]?.fail();
  await settle();
  for (const one of [quick, broken]) one.recall();
  await settle();
  expect(refetch.state('quick')).toEqual({ phase: 'fresh' });
  expect(refetch.state('broken')).toMatchObject({ phase: 'failed', remembered: true });
});

test('two who look at the same ask once; who comes back soon does not ask again, later does', async () => {
  const { refetch, source, settle, wait } = world();
  const board = source('board');
  const close = refetch.open(board.source);
  refetch.open(board.source)();
  board.asked[0]?.accept();
  await settle();
  close();
  refetch.open(board.source)();
  expect(board.asked).toHaveLength(1);
  await wait(focusPause + 1);
  refetch.open(board.source)();
  expect(board.asked).toHaveLength(2);
});

test('a source marked as stale is fetched for its next viewer, though it was just fetched or is live', async () => {
  const { refetch, source, settle, is } = world();
  const board = source('board');
  const close = refetch.open(board.source);
  board.asked[0]?.accept();
  await settle();
  close();
  is.live = true;
  refetch.reset('board');
  expect(refetch.state('board')).toEqual({ phase: 'empty' });
  refetch.open(board.source);
  expect(board.asked).toHaveLength(2);
  board.asked[1]?.accept();
  await settle();
  refetch.reset('board');
  expect(board.asked).toHaveLength(3);
});

test('asked again at the calm interval, on focus and on reconnecting, while someone looks and the window is seen', async () => {
  const { refetch, source, settle, wait, fire, is } = world();
  const board = source('board');
  const close = refetch.open(board.source);
  const accept = async (): Promise<void> => {
    board.asked.at(-1)?.accept();
    await settle();
  };
  await accept();
  await wait(pollInterval - retryInterval);
  expect(board.asked).toHaveLength(1);
  await wait(retryInterval);
  expect(board.asked).toHaveLength(2);
  await accept();
  fire('focus');
  expect(board.asked).toHaveLength(2);
  await wait(focusPause);
  fire('focus');
  expect(board.asked).toHaveLength(3);
  await accept();
  fire('online');
  expect(board.asked).toHaveLength(4);
  await accept();
  is.visible = false;
  await wait(2 * pollInterval);
  is.visible = true;
  close();
  await wait(2 * pollInterval);
  expect(board.asked).toHaveLength(4);
});

test('writes on their way are not disturbed; as soon as they have arrived it is asked for', async () => {
  const { refetch, source, settle, wait, is } = world();
  const board = source('board');
  refetch.open(board.source);
  board.asked[0]?.accept();
  await settle();
  is.busy = true;
  await wait(2 * pollInterval);
  expect(board.asked).toHaveLength(1);
  is.busy = false;
  await wait(retryInterval);
  expect(board.asked).toHaveLength(2);
});

test('a source about to change is fetched at an interval of its own, one answer after the other, while viewed', async () => {
  const { refetch, source, settle, wait, is } = world();
  const board = source('board');
  const close = refetch.open(board.source);
  const calm = refetch.pollEvery('board', retryInterval);
  await wait(retryInterval);
  expect(board.asked).toHaveLength(1);
  board.asked[0]?.accept();
  await settle();
  await wait(retryInterval);
  expect(board.asked).toHaveLength(2);
  board.asked[1]?.accept();
  await settle();
  is.visible = false;
  await wait(retryInterval);
  is.visible = true;
  calm();
  await wait(retryInterval);
  refetch.pollEvery('board', retryInterval);
  close();
  await wait(retryInterval);
  expect(board.asked).toHaveLength(2);
});

test('a failed fetch is repeated soon', async () => {
  const { refetch, source, settle, wait } = world();
  const board = source('board');
  refetch.open(board.source);
  board.asked[0]?.fail();
  await settle();
  expect(refetch.state('board')).toMatchObject({
    phase: 'failed',
    remembered: false,
    reason: { message: 'nobody there' },
  });
  await wait(retryInterval);
  board.asked[1]?.accept();
  await settle();
  expect(refetch.state('board')).toEqual({ phase: 'fresh' });
});

test('asked for while an answer is on its way: once more after it', async () => {
  const { refetch, source, settle } = world();
  const board = source('board');
  refetch.open(board.source);
  void refetch.refresh();
  void refetch.refresh((name) => name === 'board');
  expect(board.asked).toHaveLength(1);
  board.asked[0]?.accept();
  await settle();
  expect(board.asked).toHaveLength(2);
  board.asked[1]?.accept();
  await settle();
  expect(board.asked).toHaveLength(2);
});

test('a live source is fetched only after a failure, and the list of viewed sources is announced', async () => {
  const { refetch, source, settle, wait, fire, is } = world();
  const board = source('board');
  const heard: string[] = [];
  refetch.onViewed(() =>
    heard.push(
      refetch
        .viewed()
        .map(({ name }) => name)
        .join(),
    ),
  );
  const close = refetch.open(board.source);
  board.asked[0]?.accept();
  await settle();
  is.live = true;
  await wait(2 * pollInterval);
  fire('focus');
  refetch.open(board.source)();
  expect(board.asked).toHaveLength(1);
  is.live = false;
  await wait(retryInterval);
  expect(board.asked).toHaveLength(2);
  board.asked[1]?.fail();
  await settle();
  is.live = true;
  await wait(retryInterval);
  expect(board.asked).toHaveLength(3);
  close();
  expect(heard).toEqual(['board', '']);
});

test('stopped, it listens to nothing and tells nothing', async () => {
  const { refetch, source, settle, wait, events } = world();
  const board = source('board');
  refetch.open(board.source);
  refetch.stop();
  board.asked[0]?.accept();
  await settle();
  await wait(pollInterval);
  expect(events.size).toBe(0);
  expect(board.asked).toHaveLength(1);
});

test('a clock that is set back does not keep anything from being asked for again', async () => {
  const { refetch, source, settle, setClock, fire } = world();
  const board = source('board');
  refetch.open(board.source);
  board.asked[0]?.accept();
  await settle();
  setClock(-3_600_000);
  fire('focus');
  expect(board.asked).toHaveLength(2);
});
