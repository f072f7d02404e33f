// A new task that is typed over the rows of a list: begun by a key or the plus; afterwards the focus is with the last one that was added, or
// where it was.

import { useCallback, useRef, useState } from 'react';
import { t } from '../../strings/messages.ts';
import { focusOnceDrawn } from '../../ui/lists/focus-once-drawn.ts';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import { useLatest } from '../../ui/use-latest.ts';
import type { ListRowsState } from './use-list-rows.ts';

/** `shown`: how many tasks the filter lets through. */
export function useAddingAbove({ live, focusedRow, focusRow }: ListRowsState, shown: number) {
  const [adding, setAdding] = useState(false);
  const before = useRef(-1);
  const latest = useLatest(shown);
  const begin = useCallback((): void => {
    before.current = focusedRow();
    setAdding(true);
  }, [focusedRow]);
  function onBack(): void {
    if (before.current >= 0) focusRow(before.current);
    else focusOnceDrawn(() => document.querySelector('[data-add-task]'));
  }
  return {
    adding,
    begin,
    onBack,
    onClose(addedId: string | null): void {
      setAdding(false);
      if (addedId === null) return;
      const at = live.current.items.findIndex((item) => item.kind === 'task' && item.task.id === addedId);
      if (at < 0) onBack();
      else focusRow(at);
    },
    onAdded(count: number): void {
      const hidden = shown + count;
      requestAnimationFrame(() => {
        if (hidden > latest.current) showMessage(t('board.addedHidden', { n: hidden - latest.current }));
      });
    },
  };
}
