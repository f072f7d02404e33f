// Actions of the board for keys and palette: a new task, those of the selection, and the listed keys of a card.

import { Plus } from 'lucide-react';
import { type Action, listedKeys, useActions } from '../../actions/registry.tsx';
import { t } from '../../strings/messages.ts';

interface BoardActions {
  readonly canWrite: boolean;
  /** Null: no task begins here. */
  readonly onAdd: (() => void) | null;
  readonly selection: readonly Action[];
}

export function useBoardActions({ canWrite, onAdd, selection }: BoardActions): void {
  useActions(
    canWrite
      ? [
          ...(onAdd
            ? [
                {
                  id: 'add-task',
                  label: t('board.add'),
                  group: 'project' as const,
                  keys: 'c',
                  icon: <Plus size={16} />,
                  effect: onAdd,
                },
              ]
            : []),
          ...selection,
          ...cardKeys(),
        ]
      : cardKeys().slice(0, 2),
  );
}

/** What a card does with the keys by itself; here to be listed. */
const cardKeys = () =>
  listedKeys('card', 'card', [
    ['enter', t('common.openIt')],
    ['up down left right', t('board.keys.go')],
    ['shift+space', t('board.keys.pickUp')],
    ['escape', t('board.keys.putBack')],
  ]);
