// Tells the others on the board which card is in one's hand, until it is out of it or the board is left.

import { useEffect } from 'react';
import { useTellPresence } from '../../queries.ts';
import type { DragState } from './drag-state.ts';

export function useTellDragged(projectId: string, state: DragState): void {
  const signal = useTellPresence();
  useEffect(() => {
    const stop = state.subscribe(() => signal(projectId, 'drag', state.get()?.taskId ?? null));
    return () => {
      stop();
      signal(projectId, 'drag', null);
    };
  }, [state, signal, projectId]);
}
