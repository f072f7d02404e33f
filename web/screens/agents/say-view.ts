// Columns of a saved view in words: its filter as the chips above a view say it, its layout, and what it groups and orders by.

import type { Json } from '../../../contract/database.ts';
import { fieldIn, isFieldProperty } from '../../../contract/field-properties.ts';
import { readFilter, readSort, WrongView } from '../../../contract/read-view.ts';
import { type Condition, layouts, type OwnProperty, type Property } from '../../../contract/views.ts';
import { isOwn } from '../../properties/own.ts';
import { propertyNamed } from '../../properties/properties.ts';
import type { Reader } from '../../queries.ts';
import { isMessage, t } from '../../strings/messages.ts';
import { nameProperty } from '../../strings/name-property.ts';
import { sayFilter } from '../project/filter/say-condition.ts';

/** Of rows that are here, or are only proposed; empty: there is none. */
export interface NamesInView {
  readonly task: (id: string) => string;
  readonly known: (
    table: 'workflow_columns' | 'task_labels' | 'custom_fields' | 'saved_views' | 'groups',
    id: string,
  ) => string;
  readonly option: (fieldId: string, id: string) => string;
}

interface Place {
  readonly projectId: string;
  readonly names: NamesInView;
  readonly store: Reader;
}

/** Null: nothing is chosen. What no view can hold is said as it stands. */
export function sayViewColumn(column: string, value: Json, place: Place): string | null {
  const { names } = place;
  switch (column) {
    case 'filter':
      return asRead(value, (filter) => {
        const nameOf = (property: Property): string => nameIn('views.properties', property, names);
        const named = (condition: Condition) => nameValues(condition, place);
        return sayFilter(readFilter(filter), { nameOf, named });
      });
    case 'layout': {
      const layout = layouts.find((one) => one === value);
      return layout === undefined ? String(value) : t(`projects.views.${layout}`);
    }
    case 'grouping':
    case 'lanes':
      return isOwn(String(value)) || isFieldProperty(value)
        ? nameIn('list.groups', value as Property, names)
        : String(value);
    case 'sort':
      return asRead(value, (sort) =>
        readSort(sort)
          .map(({ by, descending }) => {
            const name = nameIn('list.sorts', by, names);
            return descending ? t('agents.values.descending', { name }) : name;
          })
          .join(', '),
      );
    default:
      return JSON.stringify(value) === '{}' ? null : JSON.stringify(value);
  }
}

/** A program may have written what no view can hold. */
function asRead(value: Json, say: (value: Json) => string): string | null {
  try {
    return say(value) || null;
  } catch (thrown) {
    if (!(thrown instanceof WrongView)) throw thrown;
    return JSON.stringify(value);
  }
}

/** `of`: where a screen calls a property otherwise. */
function nameIn(of: 'views.properties' | 'list.groups' | 'list.sorts', property: Property, names: NamesInView): string {
  const field = fieldIn(property);
  return field === null
    ? nameProperty(`${of}.${property as OwnProperty}`, property)
    : names.known('custom_fields', field.id) || t('views.fieldGone');
}

function nameValues({ property, value }: Condition, { projectId, names, store }: Place): readonly string[] {
  const { kind, isOfPeople, source } = propertyNamed(property);
  const field = fieldIn(property);
  const nameOne = (id: string): string => {
    if (kind === 'flag') return t(id === 'yes' ? 'views.flags.yes' : 'views.flags.no');
    if (isOfPeople && id === 'me') return t('common.me');
    if (field !== null && !isOfPeople) return names.option(field.id, id);
    switch (property) {
      case 'column':
        return names.known('workflow_columns', id);
      case 'label':
        return names.known('task_labels', id);
      case 'parent':
      case 'waits_for':
        return names.task(id);
      case 'kind': {
        const key = `common.kinds.${id}`;
        return isMessage(key) ? t(key as 'common.kinds.done') : id;
      }
      default:
        return source(store, projectId).choice(id).name;
    }
  };
  const ids = Array.isArray(value) ? (value as readonly string[]) : [String(value)];
  return ids.map((id) => nameOne(id) || t('views.gone'));
}
