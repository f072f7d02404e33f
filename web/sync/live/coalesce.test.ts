// Tests for the drawing of changes: the first at once, of a flood as many as leave time, and none during a drag.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openCoalescing } from './coalesce.ts';

const drawMs = 40;
let batches: number[] = [];
let isHeld = false;

beforeEach(() => {
  vi.useFakeTimers();
  batches = [];
  isHeld = false;
});
afterEach(() => {
  vi.useRealTimers();
});

const change = 'a change';

function open() {
  const receive = (some: readonly string[]): void => {
    batches.push(some.length);
    // Drawing takes its time.
    vi.setSystemTime(Date.now() + drawMs);
    vi.advanceTimersByTime(drawMs);
  };
  return openCoalescing(receive, () => isHeld);
}

test('changes that arrive together are drawn together, at once', () => {
  const batch = open();
  for (let come = 0; come < 3; come++) batch.add(change);
  vi.advanceTimersByTime(1);
  expect(batches).toEqual([3]);
});

test('a flood waits while everything else has its turn', () => {
  const batch = open();
  batch.add(change);
  vi.advanceTimersByTime(1);
  batch.add(change);
  vi.advanceTimersByTime(3 * drawMs);
  batch.add(change);
  expect(batches).toEqual([1]);
  vi.advanceTimersByTime(drawMs);
  expect(batches).toEqual([1, 2]);
});

test('a change that comes after a while does not wait for one before it', () => {
  const batch = open();
  batch.add(change);
  vi.advanceTimersByTime(10_000);
  batch.add(change);
  vi.advanceTimersByTime(1);
  expect(batches).toEqual([1, 1]);
});

test('under a hand changes wait, and not for ever', () => {
  const batch = open();
  isHeld = true;
  batch.add(change);
  vi.advanceTimersByTime(1400);
  expect(batches).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(batches).toEqual([1]);
  batch.add(change);
  vi.advanceTimersByTime(300);
  isHeld = false;
  vi.advanceTimersByTime(100);
  expect(batches).toEqual([1, 1]);
  batch.add(change);
  batch.close();
  vi.advanceTimersByTime(10_000);
  expect(batches).toEqual([1, 1]);
});

test('changes held back are handed on when something was missed, and once', () => {
  const batch = open();
  isHeld = true;
  batch.add(change);
  vi.advanceTimersByTime(100);
  batch.flush();
  expect(batches).toEqual([1]);
  batch.flush();
  vi.advanceTimersByTime(10_000);
  expect(batches).toEqual([1]);
});
