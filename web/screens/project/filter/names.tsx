// Names of people, labels, columns and projects in a filter, and the choices of each.

import { useMemo } from 'react';
import { fieldIn, fieldProperty } from '../../../../contract/field-properties.ts';
import { type Condition, flags, type OwnProperty, type Property } from '../../../../contract/views.ts';
import { pickerItem } from '../../../pieces/choice-mark.tsx';
import { filterChoicesIn } from '../../../properties/filter-choices.ts';
import { offeredFirst, offeredLast, own, ownNames } from '../../../properties/own.ts';
import { propertyNamed } from '../../../properties/properties.ts';
import { fieldsOf, useQuery, useUserId } from '../../../queries.ts';
import { t } from '../../../strings/messages.ts';
import { nameProperty } from '../../../strings/name-property.ts';
import type { PickerItem } from '../../../ui/fields/picker.tsx';

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

/** Most wanted first. Columns, labels and other tasks are a project's own; across projects one asks which. */
function filterPropertiesIn(projectId: string): readonly Property[] {
  const ends: readonly Property[] = [...offeredFirst, ...offeredLast, 'text', 'project'];
  const offered = [...offeredFirst, ...ownNames.filter((name) => !ends.includes(name)), ...offeredLast];
  if (projectId !== '') return offered;
  return ['project', ...offered.filter((name) => !own[name].ofProject)];
}

export function useFilterNames(projectId: string): FilterNames {
  const userId = useUserId();
  const fields = useQuery(fieldsOf, projectId);
  const offers = useQuery(filterChoicesIn, projectId, userId);
  return useMemo(() => {
    const me: PickerItem = { id: 'me', label: t('common.me'), note: t('views.meNote') };
    const fieldOf = (property: Property) => fields.find(({ id }) => id === fieldIn(property)?.id);
    const choices = (property: Property): readonly PickerItem[] => {
      const { kind, isOfPeople } = propertyNamed(property);
      if (kind === 'flag') return flags.map((id) => ({ id, label: t(`views.flags.${id}`) }));
      const items = (offers[property] ?? []).map((choice) => ({
        ...pickerItem(choice),
        ...(choice.place === undefined ? {} : { note: String(choice.place || '') }),
      }));
      return isOfPeople ? [me, ...items] : items;
    };
    return {
      properties: [...filterPropertiesIn(projectId), ...fields.map(({ id, kind }) => fieldProperty(kind, id))],
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
  }, [projectId, fields, offers]);
}
