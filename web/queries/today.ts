// The day it is here. It changes at midnight, also under a page that stays open overnight.

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
