// Choice between the rich editor and plain Markdown. Stored on this device; every field follows at once.

import { useSyncExternalStore } from 'react';
import { recall } from '../../ui/fields/draft.ts';

export type Writing = 'rich' | 'markdown';

const place = 'kanbase-writing';
const listeners = new Set<() => void>();
let chosen: Writing | null = null;

function read(): Writing {
  chosen ??= recall(place) === 'markdown' ? 'markdown' : 'rich';
  return chosen;
}

export function chooseWriting(writing: Writing): void {
  chosen = writing;
  try {
    localStorage.setItem(place, writing);
  } catch {
    // Storage is refused: the choice lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

export function useWritingChoice(): Writing {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    read,
    read,
  );
}
