// Initial values of a new task, for the cell of the board it is typed in.

import { fieldIn } from '../../../contract/field-properties.ts';
import type { Grouping } from '../../../contract/views.ts';
import type { TaskDraft } from '../../commands.ts';
import { propertyNamed } from '../../properties/properties.ts';
import type { BoardColumn, Priority } from '../../queries.ts';

export type NewTaskValues = Pick<
  TaskDraft,
  'description' | 'priority' | 'assignees' | 'labels' | 'parentId' | 'values'
>;

export function newTaskValuesIn(
  { group, lane }: BoardColumn,
  grouping: Grouping,
  laneGrouping: Grouping | null,
): NewTaskValues {
  const standing: readonly (readonly [Grouping, string])[] = [
    [grouping, group.id],
    ...(lane && laneGrouping ? [[laneGrouping, lane.id] as const] : []),
  ];
  const begun = standing.filter(([, id]) => id !== '');
  const of = (wanted: Grouping): string[] => begun.flatMap(([by, id]) => (by === wanted ? [id] : []));
  const values = begun.flatMap(([by, id]) => {
    const field = fieldIn(by);
    const value = field && (propertyNamed(by).valueOf(id) as string | readonly string[] | null);
    return field && value ? [{ fieldId: field.id, value }] : [];
  });
  return {
    priority: of('priority')[0] as Priority | undefined,
    assignees: of('assignee'),
    labels: of('label'),
    parentId: of('parent')[0],
    ...(values.length > 0 ? { values } : {}),
  };
}
