// Tells the others on the board which card is in one's hand, until it is out of it or the board is left.

import { useEffect } from 'react';
import { useReader, useTellPresence } from '../../queries.ts';
import type { DragState } from './drag-state.ts';

export function useTellDragged(state: DragState): void {
  const signal = useTellPresence();
  const store = useReader();
  useEffect(() => {
    let projectId: string | undefined;
    const tell = (taskId: string | null): void => {
      projectId = store.get('tasks', taskId ?? '')?.project_id ?? projectId;
      if (projectId !== undefined) signal(projectId, 'drag', taskId);
    };
    const stop = state.subscribe(() => tell(state.get()?.taskId ?? null));
    return () => {
      stop();
      tell(null);
    };
  }, [state, signal, store]);
}
