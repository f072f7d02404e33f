// Choices for grouping and sorting in a project: properties of every task, and fields of the project.

import { fieldProperty, isFieldGrouping } from '../../../contract/field-properties.ts';
import { type Grouping, type Layout, type SortKey, sortable } from '../../../contract/views.ts';
import { propertyNamed } from '../../properties/properties.ts';
import { fieldsOf, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { nameProperty } from '../../strings/name-property.ts';
import type { ViewHandle } from './view-handle.ts';

export interface ViewChoice<T> {
  readonly by: T;
  readonly name: string;
}

const groupings = ['column', 'assignee', 'priority', 'label', 'parent'] as const;
/** What tasks of several projects can have in common: columns, labels and fields are a project's own. */
const groupingsAcross = ['project', 'kind', 'assignee', 'priority'] as const;

const plainAcross: Partial<Record<Layout, Grouping>> = { board: 'kind', list: 'project' };

/** Of a view across projects: what is grouped by and the lanes where they can be there, else as where nothing was chosen. */
export function seenAcross(handle: ViewHandle): ViewHandle {
  const { layout, grouping, lanes } = handle.view;
  const known = (chosen: Grouping | null): Grouping | null => groupingsAcross.find((one) => one === chosen) ?? null;
  // Only a board has columns in any case.
  const none = grouping === null && layout !== 'board';
  const seen = { grouping: none ? null : (known(grouping) ?? plainAcross[layout] ?? null), lanes: known(lanes) };
  return { ...handle, view: { ...handle.view, ...seen } };
}

export function useGroupings(projectId: string): readonly ViewChoice<Grouping>[] {
  const fields = useQuery(fieldsOf, projectId);
  return [
    ...(projectId === '' ? groupingsAcross : groupings).map((by) => ({
      by,
      name: nameProperty(`list.groups.${by}`, by),
    })),
    ...fields.flatMap(({ id, kind, name }) => {
      const by = fieldProperty(kind, id);
      return isFieldGrouping(by) ? [{ by, name }] : [];
    }),
  ];
}

/** What changed or came last is looked for first. */
export const latestFirst = (by: SortKey): boolean => propertyNamed(by).kind === 'moment';

/** Columns and parents are a project's own: across projects they say nothing of an order. */
export function useSorts(projectId: string): readonly ViewChoice<SortKey>[] {
  const fields = useQuery(fieldsOf, projectId);
  return [
    ...sortable
      .filter((by) => projectId !== '' || !propertyNamed(by).ofProject)
      .map((by) => ({ by, name: nameProperty(`list.sorts.${by}`, by) })),
    ...fields.map(({ id, kind, name }) => ({ by: fieldProperty(kind, id), name })),
  ];
}

/** What tasks stand in that have none of it. */
export function sayNone(grouping: Grouping | null): string {
  return grouping === null ? t('common.none') : propertyNamed(grouping).sayNone();
}
