// Tests for the drawing of changes: the first at once, of a flood as many as leave time, and none during a drag.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openHeap } from './heap.ts';

const drawMs = 40;
let heaps: number[] = [];
let isHeld = false;

beforeEach(() => {
  vi.useFakeTimers();
  heaps = [];
  isHeld = false;
});
afterEach(() => {
  vi.useRealTimers();
});

const arrival = 'a change';

function open() {
  const receive = (some: readonly string[]): void => {
    heaps.push(some.length);
    // Drawing takes its time.
    vi.setSystemTime(Date.now() + drawMs);
    vi.advanceTimersByTime(drawMs);
  };
  return openHeap(receive, () => isHeld);
}

test('changes that arrive together are drawn together, at once', () => {
  const heap = open();
  for (let come = 0; come < 3; come++) heap.add(arrival);
  vi.advanceTimersByTime(1);
  expect(heaps).toEqual([3]);
});

test('a flood waits while everything else has its turn', () => {
  const heap = open();
  heap.add(arrival);
  vi.advanceTimersByTime(1);
  heap.add(arrival);
  vi.advanceTimersByTime(3 * drawMs);
  heap.add(arrival);
  expect(heaps).toEqual([1]);
  vi.advanceTimersByTime(drawMs);
  expect(heaps).toEqual([1, 2]);
});

test('a change that comes after a while does not wait for one before it', () => {
  const heap = open();
  heap.add(arrival);
  vi.advanceTimersByTime(10_000);
  heap.add(arrival);
  vi.advanceTimersByTime(1);
  expect(heaps).toEqual([1, 1]);
});

test('under a hand changes wait, and not for ever', () => {
  const heap = open();
  isHeld = true;
  heap.add(arrival);
  vi.advanceTimersByTime(1400);
  expect(heaps).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(heaps).toEqual([1]);
  heap.add(arrival);
  vi.advanceTimersByTime(300);
  isHeld = false;
  vi.advanceTimersByTime(100);
  expect(heaps).toEqual([1, 1]);
  heap.add(arrival);
  heap.close();
  vi.advanceTimersByTime(10_000);
  expect(heaps).toEqual([1, 1]);
});

test('changes held back are handed on when something was missed, and once', () => {
  const heap = open();
  isHeld = true;
  heap.add(arrival);
  vi.advanceTimersByTime(100);
  heap.flush();
  expect(heaps).toEqual([1]);
  heap.flush();
  vi.advanceTimersByTime(10_000);
  expect(heaps).toEqual([1]);
});
