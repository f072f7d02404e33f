// Builds a property from its entry and its kind.

import type { Condition } from '../../contract/views.ts';
import { t } from '../strings/messages.ts';
import { fieldRange } from '../strings/numbers.ts';
import type { TaskRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import type { Entry, Groups, Kind, Property, ReadCell, ReadDay, Source } from './property.ts';

/** Of a text where nothing else is said. */
const mostWords = 5000;
const usualWidth = 120;

function sourceOf<V>(entry: Entry<V>, store: Reader, projectId: string): Source {
  const choices = () => entry.choices?.(store, projectId) ?? [];
  return {
    choices,
    choice: (id) => entry.choice?.(store, id) ?? choices().find((one) => one.id === id) ?? { id, name: '' },
    unit: entry.unit?.(store) ?? null,
    range: entry.range ?? fieldRange,
    most: entry.most ?? mostWords,
  };
}

function groupsOf<V>(
  { kind, valueIn, choices, choice, onlyKnown }: Entry<V>,
  store: Reader,
  projectId: string,
): Groups {
  const known = choices?.(store, projectId) ?? [];
  const there = onlyKnown && new Set(known.map(({ id }) => id));
  return {
    idsOf(task) {
      const value = valueIn(store, task);
      const ids = value === null ? [] : kind.idsIn(value);
      return there ? ids.filter((id) => there.has(id)) : ids;
    },
    known,
    headOf: (id) => choice?.(store, id) ?? { id, name: '' },
  };
}

function sayWith<V>(entry: Entry<V>, say: Kind<V>['say'], store: Reader, task: TaskRow): string {
  const value = entry.valueIn(store, task);
  return value === null ? '' : say(value, sourceOf(entry, store, task.project_id));
}

function readInto<V>(entry: Entry<V>, source: Source, typed: string, readDay: ReadDay): ReadCell {
  const { kind, write } = entry;
  if (write === undefined) return { fault: t('table.faults.fixed') };
  if (typed === '') return write(null);
  const read = entry.read?.(typed, source) ?? kind.read(typed, source, readDay);
  return 'fault' in read ? read : write(read.value);
}

const sayNobody = (): string => t('common.nobody');
const sayNothing = (): string => t('common.none');

export function makeProperty<V>(entry: Entry<V>): Property {
  const { kind, valueIn, always, ofProject, table, write } = entry;
  const { next } = kind;
  const isOfPeople = kind.name === 'person' || kind.name === 'people';
  return {
    kind: kind.name,
    ...(always && { always }),
    ...(ofProject && { ofProject }),
    ...(table && { table }),
    test: (store: Reader, condition: Condition) =>
      entry.test?.(store, condition) ?? kind.test(condition, (task) => valueIn(store, task)),
    measure(store) {
      const measure = kind.measure(sourceOf(entry, store, ''));
      return (task) => {
        const value = valueIn(store, task);
        return value === null ? null : measure(value);
      };
    },
    ordersWords: kind.ordersWords === true,
    groups: (store, projectId) => groupsOf(entry, store, projectId),
    sayNone: entry.sayNone ?? (isOfPeople ? sayNobody : sayNothing),
    isFilled(store, task) {
      const value = valueIn(store, task);
      return value !== null && value !== false;
    },
    numberIn(store, task) {
      const value = valueIn(store, task);
      return typeof value === 'number' ? value : null;
    },
    adds: kind.adds === true,
    unitIn: (store) => entry.unit?.(store) ?? null,
    say: (store, task) => entry.say?.(store, task) ?? sayWith(entry, kind.say, store, task),
    show: (store, task) => entry.say?.(store, task) ?? sayWith(entry, kind.show ?? kind.say, store, task),
    figures: kind.figures === true,
    read: (store, task, typed, readDay) =>
      readInto(entry, sourceOf(entry, store, task.project_id), typed.trim(), readDay),
    picked: kind.picked === true,
    writes: write !== undefined,
    next: next && write ? (store, task) => write(next(valueIn(store, task))) : null,
    width: table?.width ?? kind.width ?? usualWidth,
  };
}
