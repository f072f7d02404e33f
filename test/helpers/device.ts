// A device for tests: its storage, and locks that go to the next in line when a window closes.

import type { SavedEntriesPorts } from '../../web/sync/journal/saved-entries.ts';

export function openDevice(isFull = false) {
  const records = new Map<string, string>();
  const lines = new Map<string, Promise<unknown>>();
  const storage: SavedEntriesPorts['storage'] = {
    getItem: (name) => records.get(name) ?? null,
    setItem: (name, text) => {
      if (isFull) throw new Error('full');
      records.set(name, text);
    },
    removeItem: (name) => void records.delete(name),
    key: (at) => [...records.keys()][at] ?? null,
    get length() {
      return records.size;
    },
  };
  /** The locks that were asked for. */
  const asked: string[] = [];
  const request = (name: string, work: () => unknown): Promise<unknown> => {
    asked.push(name);
    const turn = (lines.get(name) ?? Promise.resolve()).then(work);
    lines.set(name, turn);
    return turn;
  };
  return { records, storage, asked, locks: { request } as unknown as LockManager };
}
