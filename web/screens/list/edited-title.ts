// The title that is edited in a list, or was last: one state, from which its line, its field and the focus afterwards follow in one drawing,
// so that no key comes in between.

import { useCallback, useLayoutEffect, useState } from 'react';
import { bufferKeys, dropBufferedKeys } from '../../ui/overlays/buffered-keys.ts';
import { type EditedTitle, editedRow } from './list-item.ts';
import type { ListRowsState } from './use-list-rows.ts';

export type OnEdit = (step: EditedTitle['state'], index: number) => void;

export function useEditedTitle() {
  const [edited, setEdited] = useState<EditedTitle | null>(null);
  const begin = useCallback((taskId: string): void => {
    // From the palette it is drawn a turn later.
    bufferKeys();
    setEdited({ taskId, key: null, index: -1, state: 'open' });
  }, []);
  return { edited, setEdited, begin };
}

/** What follows from it in the lines: the key of the line with the field, and what a line says of its field. */
export function useEditedLine({ edited, setEdited }: ReturnType<typeof useEditedTitle>, rows: ListRowsState) {
  const { live, focusRow, items, editedAt } = rows;
  useLayoutEffect(() => {
    if (edited === null || edited.state === 'left') return;
    const at = editedRow(live.current.items, edited);
    // By its new title it may stand elsewhere, or nowhere.
    if (edited.state === 'done') focusRow(at < 0 ? edited.index : at);
    else if (edited.key === null && at >= 0) live.current.virtualizer.scrollToIndex(at, { align: 'center' });
    else if (at < 0) {
      dropBufferedKeys();
      setEdited(null);
    }
  }, [edited, live, focusRow, setEdited]);
  const onEdit = useCallback<OnEdit>(
    (state, index) => {
      const item = live.current.items[index];
      if (item?.kind === 'task') setEdited({ taskId: item.task.id, key: item.key, index, state });
    },
    [live, setEdited],
  );
  return { editing: edited?.state === 'open' ? (items[editedAt]?.key ?? null) : null, onEdit };
}
