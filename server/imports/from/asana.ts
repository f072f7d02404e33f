// Reads tasks of an Asana project (Export → CSV). Sections become lists, parents and dependencies are found by title, and a task with a day of
// completion is done, in whichever section.

import { firstCell } from '../read-table.ts';
import { kindOfState } from '../state-kinds.ts';
import { joinedPeople, type TableFormat } from './table.ts';

export const asana: TableFormat = {
  source: 'asana',
  scope: (table) => `asana:${firstCell(table, 'Projects')}`,
  columns: {
    'task id': 'id',
    name: 'title',
    notes: 'description',
    'section/column': 'state',
    assignee: 'assignees',
    'start date': 'start',
    'due date': 'due',
    tags: 'labels',
    'parent task': 'parent',
    'blocked by (dependencies)': 'waits_for',
    priority: 'priority',
    'created at': 'created',
    'completed at': 'completed',
  },
  limit: 2000,
  prepare: (table) => joinedPeople(table, 'assignee', 'assignee email'),
  // A section is no state there.
  finish: (task) =>
    task.completed === null || (task.state !== null && kindOfState(task.state) === 'done')
      ? task
      : {
          ...task,
          state: 'Done',
          leftovers: task.state === null ? task.leftovers : [['Section', task.state], ...task.leftovers],
        },
};
