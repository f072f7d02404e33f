// Conditions asked most, ready made.

import type { Part } from '../../../../contract/views.ts';

export const presets: readonly {
  readonly id: 'mine' | 'overdue' | 'soon' | 'open';
  readonly parts: readonly Part[];
}[] = [
  { id: 'mine', parts: [{ property: 'assignee', is: 'any_of', value: ['me'] }] },
  {
    id: 'overdue',
    parts: [
      { property: 'due_date', is: 'before', value: 'today' },
      { property: 'completed_at', is: 'empty' },
    ],
  },
  { id: 'soon', parts: [{ property: 'due_date', is: 'in_next', value: 7 }] },
  { id: 'open', parts: [{ property: 'completed_at', is: 'empty' }] },
];
