// Builds a property from its entry and its kind.

import type { Condition } from '../../contract/views.ts';
import { t } from '../strings/messages.ts';
import { fieldRange } from '../strings/numbers.ts';
import type { TaskRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import type { Entry, Groups, Kind, Property, PropertyValue, ReadCell, ReadDay, Source } from './property.ts';

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

function sayChangeOf<V>(
  { kind, history, range = fieldRange }: Entry<V>,
  name: string,
  to: unknown,
  named: Partial<Source>,
) {
  const value = kind.take(to);
  if (value === null) return history?.cleared?.() ?? t('task.history.fieldCleared', { name });
  const known: Source = { choices: () => [], choice: (id) => ({ id, name: id }), unit: null, range, most: mostWords };
  const said = (kind.show ?? kind.say)(value, { ...known, ...named });
  return (
    history?.set(said, value) ?? kind.sayChange?.(value, name) ?? t('task.history.fieldSet', { name, value: said })
  );
}

function countOf<V>(entry: Entry<V>): Property['count'] {
  const { count } = entry.kind;
  if (count === undefined) return null;
  return (store, projectId, tasks) => {
    const values = tasks.map((task) => entry.valueIn(store, task)).filter((value) => value !== null);
    return count(values, sourceOf(entry, store, projectId));
  };
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
    // Numbers that the database gives, as keys are, mean nothing together.
    adds: kind.adds === true && write !== undefined,
    isOfPeople,
    unitIn: (store) => entry.unit?.(store) ?? null,
    say: (store, task) => entry.say?.(store, task) ?? sayWith(entry, kind.say, store, task),
    show: (store, task) => entry.say?.(store, task) ?? sayWith(entry, kind.show ?? kind.say, store, task),
    figures: kind.figures === true,
    read: (store, task, typed, readDay) =>
      readInto(entry, sourceOf(entry, store, task.project_id), typed.trim(), readDay),
    picked: kind.picked === true,
    writes: write !== undefined,
    valueIn: (store, task) => valueIn(store, task) as PropertyValue | null,
    source: (store, projectId) => sourceOf(entry, store, projectId),
    sayValue: (source, value) => kind.say(value as V, source),
    showValue: (source, value) => (kind.show ?? kind.say)(value as V, source),
    readValue: (source, typed, readDay) => {
      const read = entry.read?.(typed, source) ?? kind.read(typed, source, readDay);
      return 'fault' in read ? read : { value: read.value as PropertyValue };
    },
    write: (value) => write?.(value as V | null) ?? { fault: t('table.faults.fixed') },
    check: (task, value) => entry.check?.(task, value as V | null) ?? null,
    valueOf: (id) => (kind.of?.(id) as PropertyValue | undefined) ?? null,
    count: countOf(entry),
    sayChange: (name, to, named) => sayChangeOf(entry, name, to, named),
    next: next && write ? (store, task) => write(next(valueIn(store, task))) : null,
    width: table?.width ?? kind.width ?? usualWidth,
  };
}
