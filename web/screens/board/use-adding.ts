// Place of the new task that is being typed: in one column at a time, at its top or its end.

import { useCallback, useState } from 'react';
import type { AddPlace } from './quick-add.tsx';

export interface Adding {
  readonly columnId: string;
  readonly place: AddPlace;
}

interface UseAdding {
  readonly adding: Adding | null;
  readonly onAdd: (columnId: string, place: AddPlace) => void;
  /** Typing is over; the task that was added last gets the focus. */
  readonly onAdded: (addedId: string | null) => void;
}

/** The functions stay the same ones as long as `focus` does. */
export function useAdding(focus: (taskId: string) => void): UseAdding {
  const [adding, setAdding] = useState<Adding | null>(null);
  const onAdd = useCallback((columnId: string, place: AddPlace) => setAdding({ columnId, place }), []);
  const onAdded = useCallback(
    (addedId: string | null): void => {
      setAdding(null);
      if (addedId !== null) focus(addedId);
    },
    [focus],
  );
  return { adding, onAdd, onAdded };
}
