// Tells the shell that files are being uploaded, which is all it loads until there are any, and which task shows its own uploads.

import { useEffect, useSyncExternalStore } from 'react';
import { storedName, useUserId } from '../queries.ts';

let any = false;
let shown: readonly string[] = [];
const listeners = new Set<() => void>();

/** Left on this device, too, so that the next page knows that there is something to take up. */
export function announceUploads(userId: string, count: number): void {
  any = count > 0;
  try {
    if (any) localStorage.setItem(storedName(userId, 'uploads'), String(count));
    else localStorage.removeItem(storedName(userId, 'uploads'));
  } catch {
    // A device that keeps nothing.
  }
  changed();
}

function changed(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** True also where an earlier page left some. */
export function useHasUploads(): boolean {
  const userId = useUserId();
  return useSyncExternalStore(subscribe, () => any || left(userId));
}

function left(userId: string): boolean {
  try {
    return localStorage.getItem(storedName(userId, 'uploads')) !== null;
  } catch {
    return false;
  }
}

/** While the component is there it shows the uploads of this task itself. */
export function useShowsUploads(taskId: string): void {
  useEffect(() => {
    shown = [...shown, taskId];
    changed();
    return () => {
      shown = shown.filter((id) => id !== taskId);
      changed();
    };
  }, [taskId]);
}

export function useTasksShown(): readonly string[] {
  return useSyncExternalStore(subscribe, () => shown);
}
