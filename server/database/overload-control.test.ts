import { expect, test } from 'vitest';
import { OverloadControl } from './overload-control.ts';

const fewest = 20;

/** Ten are handed out every ten milliseconds, for so long; each had waited so long. */
function serve(crowding: OverloadControl, from: number, lastsMs: number, waitedMs: number): number {
  let now = from;
  for (; now < from + lastsMs; now += 10) for (let at = 0; at < 10; at++) crowding.handedOut(now - waitedMs, now);
  return now;
}

test('as many may wait as are served soon, while nearly everybody waits long', () => {
  const crowding = new OverloadControl(fewest, 0);
  expect(crowding.room(0)).toBe(Number.POSITIVE_INFINITY);
  let now = serve(crowding, 0, 500, 900);
  // A thousand a second.
  expect(crowding.room(now)).toBe(1000);
  now = serve(crowding, now, 500, 100);
  expect(crowding.room(now)).toBe(Number.POSITIVE_INFINITY);
});

test('a burst that is over within half a second turns nobody away', () => {
  const crowding = new OverloadControl(fewest, 0);
  const now = serve(crowding, serve(crowding, 0, 250, 220), 250, 10);
  expect(crowding.room(now)).toBe(Number.POSITIVE_INFINITY);
});

test('a few requests served at once do not hide that the others wait', () => {
  const crowding = new OverloadControl(fewest, 0);
  for (let now = 0; now < 500; now += 10)
    for (let at = 0; at < 20; at++) crowding.handedOut(at === 0 ? now : now - 1000, now);
  expect(crowding.room(500)).toBeLessThan(Number.POSITIVE_INFINITY);
});

test('a slow queue still admits a few requests', () => {
  const crowding = new OverloadControl(fewest, 0);
  crowding.handedOut(-1000, 10);
  crowding.handedOut(-1000, 400);
  expect(crowding.room(500)).toBe(fewest);
});

test('a database that stands still is waited for', () => {
  const crowding = new OverloadControl(fewest, 0);
  crowding.handedOut(-1000, 10);
  expect(crowding.room(5000)).toBe(Number.POSITIVE_INFINITY);
  expect(crowding.room(5600)).toBe(Number.POSITIVE_INFINITY);
});

test('writes wait longer than reads before they are turned away', () => {
  const crowding = new OverloadControl(fewest, 0);
  const now = serve(crowding, 0, 500, 900);
  expect([crowding.room(now), crowding.room(now, true)]).toEqual([1000, 5000]);
  const slow = new OverloadControl(fewest, 0);
  slow.handedOut(-1000, 10);
  expect([slow.room(500), slow.room(500, true)]).toEqual([fewest, 256]);
});
