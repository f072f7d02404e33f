// A cell as words, and words as what a cell is to hold: for the clipboard, for typing and for spreadsheets. What cannot be read is said.

import type { Json } from '../../../contract/database.ts';
import { type CellValue, overBy, titleLength } from '../../commands.ts';
import { readDays } from '../../queries/days/read-day.ts';
import {
  cardFactsOf,
  chosenOptions,
  columnsOf,
  type FieldRow,
  fieldValue,
  labelsOf,
  membersOf,
  optionsOf,
  type Reader,
  type TaskRow,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { estimateRange, fieldRange, readNumberIn, writeNumber } from '../../strings/numbers.ts';
import type { TableColumn } from './columns.ts';

const nameOf = (store: Reader, userId: string): string => store.get('profiles', userId)?.display_name?.trim() ?? '';

/** Days and moments in the order in which every spreadsheet reads them. */
const moment = (timestamp: string | null): string =>
  timestamp === null ? '' : new Date(timestamp).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });

export function sayCell(store: Reader, task: TaskRow, { of, field }: TableColumn): string {
  switch (of) {
    case 'field':
      return field ? sayValue(store, field, fieldValue(store, task, field.id) ?? null) : '';
    case 'number':
      return cardFactsOf.read(store, task.id)?.key ?? '';
    case 'title':
      return task.title;
    case 'priority':
      return t(`common.priorities.${task.priority}`);
    case 'column':
      return store.get('workflow_columns', task.column_id)?.name ?? '';
    case 'kind': {
      const kind = store.get('workflow_columns', task.column_id)?.kind;
      return kind ? t(`common.kinds.${kind}`) : '';
    }
    case 'label':
      return (cardFactsOf.read(store, task.id)?.labels ?? []).map(({ name }) => name).join(', ');
    case 'assignee':
      return (cardFactsOf.read(store, task.id)?.people ?? []).map(({ name }) => name).join(', ');
    case 'estimate':
      return task.estimate === null ? '' : writeNumber(task.estimate);
    case 'due_date':
    case 'start_date':
      return task[of] ?? '';
    case 'created_by':
      return task.created_by ? nameOf(store, task.created_by) : '';
    case 'project':
      return store.get('projects', task.project_id)?.name ?? '';
    case 'parent':
      return store.get('tasks', task.parent_id ?? '')?.title ?? '';
    default:
      return moment(task[of]);
  }
}

export function sayValue(store: Reader, field: FieldRow, value: Json): string {
  if (value === null) return '';
  switch (field.kind) {
    case 'number':
      return writeNumber(Number(value));
    case 'checkbox':
      return value === true ? 'TRUE' : 'FALSE';
    case 'person':
      return nameOf(store, String(value));
    case 'select':
    case 'multi_select': {
      const chosen = chosenOptions(value);
      return optionsOf(field)
        .filter(({ id }) => chosen.includes(id))
        .map(({ name }) => name)
        .join(', ');
    }
    default:
      return String(value);
  }
}

export type ReadCell = { readonly cell: CellValue } | { readonly fault: string };

const fault = (sentence: string): ReadCell => ({ fault: sentence });

/** `today` is the reader's. An empty text empties the cell, where it may be. */
export function readCell(store: Reader, task: TaskRow, column: TableColumn, text: string, today: string): ReadCell {
  const typed = text.trim();
  const { of, field } = column;
  switch (of) {
    case 'title':
      if (typed === '') return fault(t('table.faults.title'));
      if (overBy(typed, titleLength) > 0) return fault(t('table.faults.long', { most: titleLength }));
      return { cell: { of: 'task', patch: { title: typed.replace(/\s+/g, ' ') } } };
    case 'priority': {
      const found = (['p0', 'p1', 'p2'] as const).find(
        (one) => one === typed.toLowerCase() || isSame(t(`common.priorities.${one}`), typed),
      );
      if (found === undefined && typed !== '') return fault(t('table.faults.choice', { text: typed }));
      return { cell: { of: 'task', patch: { priority: found ?? 'p2' } } };
    }
    case 'column': {
      const found = columnsOf.read(store, task.project_id).find(({ name }) => isSame(name, typed));
      return found ? { cell: { of: 'column', columnId: found.id } } : fault(t('table.faults.choice', { text: typed }));
    }
    case 'label': {
      const read = readNames(labelsOf.read(store, task.project_id), typed);
      return typeof read === 'string'
        ? fault(t('table.faults.choice', { text: read }))
        : { cell: { of: 'labels', ids: read } };
    }
    case 'assignee': {
      const read = readNames(peopleIn(store, task.project_id), typed);
      return typeof read === 'string'
        ? fault(t('table.faults.person', { text: read }))
        : { cell: { of: 'people', ids: read } };
    }
    case 'due_date':
    case 'start_date': {
      const day = typed === '' ? null : readDay(typed, today);
      return day === undefined
        ? fault(t('table.faults.day', { text: typed }))
        : { cell: { of: 'task', patch: { [of]: day } } };
    }
    case 'estimate': {
      const estimate = readNumberIn(estimateRange, typed);
      if (typed !== '' && estimate === null) return fault(t('table.faults.estimate', { text: typed }));
      return { cell: { of: 'task', patch: { estimate } } };
    }
    case 'field': {
      if (field === undefined) return fault(t('table.faults.fixed'));
      const read = readValue(store, field, typed, today);
      return 'fault' in read ? read : { cell: { of: 'field', fieldId: field.id, value: read.value } };
    }
    default:
      return fault(t('table.faults.fixed'));
  }
}

function readValue(store: Reader, field: FieldRow, typed: string, today: string): { value: Json } | { fault: string } {
  if (typed === '') return { value: null };
  switch (field.kind) {
    case 'number': {
      const value = readNumberIn(fieldRange, typed, field.unit);
      return value === null ? { fault: t('table.faults.number', { text: typed }) } : { value };
    }
    case 'date': {
      const value = readDay(typed, today);
      return value === undefined ? { fault: t('table.faults.day', { text: typed }) } : { value };
    }
    case 'select':
    case 'multi_select': {
      const read = readNames(optionsOf(field), typed);
      if (typeof read === 'string') return { fault: t('table.faults.choice', { text: read }) };
      if (field.kind === 'multi_select') return { value: read };
      return read.length === 1 ? { value: read[0] ?? null } : { fault: t('table.faults.one', { text: typed }) };
    }
    case 'person': {
      const read = readNames(peopleIn(store, field.project_id), typed);
      if (typeof read === 'string') return { fault: t('table.faults.person', { text: read }) };
      return read.length === 1 ? { value: read[0] ?? null } : { fault: t('table.faults.one', { text: typed }) };
    }
    case 'checkbox': {
      const word = typed.toLowerCase();
      const means = (words: string): boolean => words.split('|').includes(word);
      if (means(t('table.yes'))) return { value: true };
      return means(t('table.no')) ? { value: false } : { fault: t('table.faults.flag', { text: typed }) };
    }
    case 'url': {
      const address = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`;
      const fits = /^https?:\/\/[^\s/?#.]+\.[^\s]+$|^https?:\/\/localhost/i.test(address) && address.length <= 2000;
      return fits ? { value: address } : { fault: t('table.faults.address', { text: typed }) };
    }
    default:
      return overBy(typed, 5000) > 0 ? { fault: t('table.faults.long', { most: 5000 }) } : { value: typed };
  }
}

const isSame = (one: string, other: string): boolean => one.trim().toLowerCase() === other.toLowerCase();

const peopleIn = (store: Reader, projectId: string) =>
  membersOf.read(store, projectId).map(({ userId, name }) => ({ id: userId, name }));

/** Ids of what is named, one or several between commas; else the name that nothing has. */
function readNames(known: readonly { readonly id: string; readonly name: string }[], typed: string): string[] | string {
  if (typed === '') return [];
  // A name may hold a comma itself.
  const whole = known.find(({ name }) => isSame(name, typed));
  if (whole) return [whole.id];
  const ids: string[] = [];
  for (const name of typed.split(/[,;\n]/).map((part) => part.trim())) {
    if (name === '') continue;
    const found = known.find((one) => isSame(one.name, name));
    if (found === undefined) return name;
    if (!ids.includes(found.id)) ids.push(found.id);
  }
  return ids;
}

/** As it is said or written; undefined: it is none. */
function readDay(typed: string, today: string): string | undefined {
  const iso = /^(\d{4}-\d\d-\d\d)(?:[T ].*)?$/.exec(typed)?.[1];
  if (iso !== undefined) return Number.isNaN(Date.parse(`${iso}T00:00:00Z`)) ? undefined : iso;
  return readDays(typed, today, 3)[0];
}
