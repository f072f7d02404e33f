// Properties offered for a filter, most wanted first.

import type { Property } from '../../../../contract/views.ts';

const offered: readonly Property[] = [
  'assignee',
  'label',
  'column',
  'kind',
  'priority',
  'due_date',
  'start_date',
  'completed_at',
  'estimate',
  'title',
  'parent',
  'waits_for',
  'blocked',
  'has_subtasks',
  'has_checklist',
  'has_files',
  'recurring',
  'watcher',
  'commenter',
  'created_by',
  'created_at',
  'updated_at',
  'number',
];

const ofOneProject: readonly Property[] = ['label', 'column', 'parent', 'waits_for'];

/** Columns, labels and other tasks are a project's own; across projects one asks which. */
export function offeredIn(projectId: string): readonly Property[] {
  if (projectId !== '') return offered;
  return ['project', ...offered.filter((property) => !ofOneProject.includes(property))];
}
