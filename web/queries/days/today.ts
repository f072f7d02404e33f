// The day it is here, and the minute. They change under a page that stays open, the day at midnight.

import { useSyncExternalStore } from 'react';
import { localDay } from './days.ts';

const lookEvery = 30_000;
const listeners = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

function look(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    ticking = setInterval(look, lookEvery);
    window.addEventListener('focus', look);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    window.removeEventListener('focus', look);
  };
}

export function useToday(): string {
  return useSyncExternalStore(subscribe, () => localDay(new Date()));
}

/** As timestamps are written, to the minute. */
export function useMinute(): string {
  return useSyncExternalStore(subscribe, () => `${new Date().toISOString().slice(0, 16)}:00Z`);
}
