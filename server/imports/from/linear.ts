// Issues of Linear (Export issues as CSV). Its texts have a quote before what a spreadsheet would take for a formula.

import type { Task } from '../neutral.ts';
import { firstCell } from '../read-table.ts';
import type { TableFormat } from './table.ts';

export const linear: TableFormat = {
  source: 'linear',
  scope: (table) => `linear:${firstCell(table, 'ID').replace(/-\d+$/, '')}`,
  columns: {
    id: 'id',
    uuid: 'alias',
    title: 'title',
    description: 'description',
    status: 'state',
    estimate: 'estimate',
    priority: 'priority',
    assignee: 'assignees',
    labels: 'labels',
    created: 'created',
    completed: 'completed',
    'due date': 'due',
    'parent issue': 'parent',
    'blocked by': 'waits_for',
  },
  separator: /, |\n/,
  finish: (task, cell): Task => ({
    ...task,
    title: unquoted(task.title),
    description: unquoted(task.description),
    archived: cell('archived') !== '',
  }),
};

const unquoted = (text: string): string => text.replace(/^'([+\-=@])/, '$1');
