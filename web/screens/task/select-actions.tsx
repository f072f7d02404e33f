// Actions that select tasks by keys, on a board and in a list.

import { CheckCheck, SquareCheck } from 'lucide-react';
import type { Action } from '../../actions/registry.tsx';
import { t } from '../../strings/messages.ts';

export const selectActions = (onPick: () => void, onAll: () => void): readonly Action[] => [
  {
    id: 'select-task',
    label: t('list.selectOne'),
    group: 'task',
    keys: 'x',
    icon: <SquareCheck size={16} />,
    effect: onPick,
  },
  {
    id: 'select-all',
    label: t('list.selectAll'),
    group: 'task',
    keys: 'mod+a',
    icon: <CheckCheck size={16} />,
    effect: onAll,
  },
];
