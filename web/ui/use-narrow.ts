// Width of the window: too narrow for two columns, or that of a phone, upright or lying.

import { useSyncExternalStore } from 'react';
import { media } from '../styles/media.ts';

export function useNarrow(): boolean {
  return useMedia(media.narrow);
}

export function usePhone(): boolean {
  return useMedia(media.phone);
}

/** Fingers are what is pointed with: a phone's or a tablet's. */
export function useTouch(): boolean {
  return useMedia('(pointer: coarse)');
}

const queries = new Map<string, MediaQueryList>();

/** One for all who ask: what scrolls asks with every step. */
function queryFor(asked: string): MediaQueryList {
  const query = queries.get(asked) ?? matchMedia(asked);
  queries.set(asked, query);
  return query;
}

function useMedia(asked: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = queryFor(asked);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => queryFor(asked).matches,
  );
}
