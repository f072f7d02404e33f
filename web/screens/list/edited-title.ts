// The title that is edited in a list, or was last: one state, from which its line, its field and the focus afterwards follow in one drawing,
// so that no key comes in between.

import { type Dispatch, type SetStateAction, useCallback, useLayoutEffect } from 'react';
import type { EditedTitle } from './list-item.ts';
import type { ListRowsState } from './use-list-rows.ts';

export type OnEdit = (step: EditedTitle['state'], index: number) => void;

/** What follows from it in the lines: the key of the line with the field, and what a line says of its field. */
export function useEditedLine(
  edited: EditedTitle | null,
  setEdited: Dispatch<SetStateAction<EditedTitle | null>>,
  { live, focusRow, items, editedAt }: ListRowsState,
) {
  useLayoutEffect(() => {
    if (edited === null || edited.state === 'left') return;
    const at = live.current.items.findIndex(({ key }) => key === edited.key);
    // By its new title it may stand elsewhere, or nowhere.
    if (edited.state === 'done') focusRow(at < 0 ? edited.index : at);
    else if (at < 0) setEdited(null);
  }, [edited, live, focusRow, setEdited]);
  const onEdit = useCallback<OnEdit>(
    (state, index) => {
      const item = live.current.items[index];
      if (item?.kind === 'task') setEdited({ key: item.key, index, state });
    },
    [live, setEdited],
  );
  return { editing: edited?.state === 'open' ? (items[editedAt]?.key ?? null) : null, onEdit };
}
