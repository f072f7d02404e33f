// Recently viewed tasks of the user, on this device.

import { useEffect, useMemo } from 'react';
import { storedName } from '../../sync/device-storage.ts';
import { useSync } from '../../sync/react.tsx';
import type { TaskRow } from '../../sync/rows/rows.ts';

const most = 20;

function recall(name: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(name) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** Remembers that a task was looked at. */
export function useRemember(taskId: string): void {
  const { userId } = useSync();
  useEffect(() => {
    const name = storedName(userId, 'recent');
    const others = recall(name).filter((id) => id !== taskId);
    try {
      localStorage.setItem(name, JSON.stringify([taskId, ...others].slice(0, most)));
    } catch {
      // A device that keeps nothing has no recent tasks.
    }
  }, [userId, taskId]);
}

/** The latest first; those that are gone, or out of reach, are passed over. */
export function useRecentTasks(limit: number): TaskRow[] {
  const { userId, store } = useSync();
  return useMemo(
    () =>
      recall(storedName(userId, 'recent'))
        .map((id) => store.get('tasks', id))
        .filter((task) => task !== undefined)
        .slice(0, limit),
    [userId, store, limit],
  );
}
