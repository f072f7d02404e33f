// Pixels of a rem: people set larger type in their browser, and very wide windows have it by themselves.

import { useSyncExternalStore } from 'react';

export function useRem(): number {
  return useSyncExternalStore(listen, () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
}

function listen(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
}
