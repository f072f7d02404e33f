// Names of people, labels, columns and projects in a filter, and the choices of each.

import { useMemo } from 'react';
import { fieldIn, fieldProperty } from '../../../../contract/field-properties.ts';
import {
  type Condition,
  columnKinds,
  flags,
  kindOf,
  type OwnProperty,
  type Property,
  priorities,
} from '../../../../contract/views.ts';
import marksStyles from '../../../pieces/marks.module.css';
import { KindMark, PriorityMark } from '../../../pieces/marks.tsx';
import {
  columnsOf,
  everybody,
  fieldsOf,
  labelsOf,
  membersOf,
  openProjects,
  optionsOf,
  parentsIn,
  predecessorsIn,
  type TaskRow,
  useQuery,
  useUserId,
} from '../../../queries.ts';
import { t } from '../../../strings/messages.ts';
import { nameProperty } from '../../../strings/name-property.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import type { PickerItem } from '../../../ui/fields/picker.tsx';
import { offeredIn } from './offered.ts';

export interface FilterNames {
  /** What a property is called. */
  nameOf(property: Property): string;
  /** Which properties are offered: columns and labels are a project's own. */
  readonly properties: readonly Property[];
  /** What there is to choose from. */
  choices(property: Property): readonly PickerItem[];
  /** What the values of a condition are called. */
  named(condition: Condition): readonly string[];
}

const taskItem = ({ id, title, number }: TaskRow): PickerItem => ({ id, label: title, note: String(number ?? '') });

export function useFilterNames(projectId: string): FilterNames {
  const userId = useUserId();
  const members = useQuery(projectId === '' ? everybody : membersOf, projectId);
  const labels = useQuery(labelsOf, projectId);
  const columns = useQuery(columnsOf, projectId);
  const projects = useQuery(openProjects);
  const fields = useQuery(fieldsOf, projectId);
  const parents = useQuery(parentsIn, projectId);
  const predecessors = useQuery(predecessorsIn, projectId);
  return useMemo(() => {
    const people = [...members].sort((one, other) => Number(other.userId === userId) - Number(one.userId === userId));
    const faces = people.map(
      ({ userId: id, name, avatarUrl }): PickerItem => ({
        id,
        label: name,
        icon: <Avatar name={name} url={avatarUrl} seed={id} size={20} />,
      }),
    );
    const me: PickerItem = { id: 'me', label: t('views.me'), note: t('views.meNote') };
    const lists: Partial<Record<OwnProperty, () => readonly PickerItem[]>> = {
      assignee: () => [me, ...faces],
      created_by: () => [me, ...faces],
      label: () =>
        labels.map(({ id, name, color }) => ({
          id,
          label: name,
          icon: <span className={marksStyles.labelDot} style={{ background: color ?? 'var(--edge)' }} />,
        })),
      column: () =>
        columns.map(({ id, name, kind, color }) => ({ id, label: name, icon: <KindMark kind={kind} color={color} /> })),
      kind: () =>
        columnKinds.map((kind) => ({ id: kind, label: t(`common.kinds.${kind}`), icon: <KindMark kind={kind} /> })),
      priority: () =>
        priorities.map((priority) => ({
          id: priority,
          label: t(`common.priorities.${priority}`),
          icon: <PriorityMark priority={priority} />,
        })),
      project: () => projects.map(({ id, name }) => ({ id, label: name })),
      parent: () => parents.map(taskItem),
      waits_for: () => predecessors.map(taskItem),
      watcher: () => [me, ...faces],
      commenter: () => [me, ...faces],
    };
    const fieldOf = (property: Property) => fields.find(({ id }) => id === fieldIn(property)?.id);
    const choices = (property: Property): readonly PickerItem[] => {
      if (kindOf(property) === 'flag') return flags.map((id) => ({ id, label: t(`views.flags.${id}`) }));
      const kind = fieldIn(property)?.kind;
      if (kind === undefined) return lists[property as OwnProperty]?.() ?? [];
      if (kind === 'person') return [me, ...faces];
      const field = fieldOf(property);
      return (field ? optionsOf(field) : []).map(({ id, name, color }) => ({
        id,
        label: name,
        icon: <span className={marksStyles.labelDot} style={{ background: color ?? 'var(--edge)' }} />,
      }));
    };
    return {
      properties: [...offeredIn(projectId), ...fields.map(({ id, kind }) => fieldProperty(kind, id))],
      nameOf: (property) =>
        fieldIn(property) === null
          ? nameProperty(`views.properties.${property as OwnProperty}`, property)
          : (fieldOf(property)?.name ?? t('views.fieldGone')),
      choices,
      named({ property, value }) {
        const known = choices(property);
        const ids = typeof value === 'object' ? value : [String(value)];
        return ids.map((id) => known.find((one) => one.id === id)?.label ?? t('views.gone'));
      },
    };
  }, [projectId, members, labels, columns, projects, fields, parents, predecessors, userId]);
}
