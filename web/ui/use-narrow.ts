// Whether the window is too narrow for things side by side.

import { useSyncExternalStore } from 'react';

const narrow = '(max-width: 52rem)';

export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(narrow);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(narrow).matches,
  );
}
