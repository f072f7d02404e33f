// The list behind a figure of a project: its address, with the filter that leaves what was counted.

import { writeFilter } from '../../../contract/view-address.ts';
import { type Group, noFilter, type Part, partsOf } from '../../../contract/views.ts';
import { paths } from '../../routes.ts';

export const figureNames = ['open', 'overdue', 'due_this_week', 'blocked', 'unassigned', 'completed'] as const;
export type FigureName = (typeof figureNames)[number];

const open: Part = { property: 'completed_at', is: 'empty' };

const counted: Readonly<Record<FigureName, readonly Part[]>> = {
  open: [open],
  overdue: [{ property: 'due_date', is: 'before', value: 'today' }, open],
  // Today is the first of seven days.
  due_this_week: [{ property: 'due_date', is: 'in_next', value: 6 }, open],
  blocked: [{ property: 'blocked', is: 'is', value: 'yes' }],
  unassigned: [{ property: 'assignee', is: 'empty' }, open],
  completed: [{ property: 'completed_at', is: 'not_empty' }],
};

/** `within`: what the figures are filtered by already. */
export function listOfFigure(projectId: string, name: FigureName, within: Group = noFilter): string {
  const there = 'any' in within && within.any.length > 1 ? [within] : partsOf(within);
  const filter = new URLSearchParams({ filter: writeFilter({ all: [...there, ...counted[name]] }) });
  return `${paths.project(projectId, 'list')}?${filter}`;
}
