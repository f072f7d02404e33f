// Difference of rows in words of the app: the things of a task together, each with its name, and of a changed one its fields before and after.

import type { Json } from '../../../contract/database.ts';
import { fieldProperty, isFieldKind } from '../../../contract/field-properties.ts';
import { isOwn, own } from '../../properties/own.ts';
import { propertyNamed } from '../../properties/properties.ts';
import type { Property, PropertyValue } from '../../properties/property.ts';
import type { DifferenceStep } from '../../queries/agents/sessions.ts';
import { sayDay, sayMoment } from '../../queries/days/days.ts';
import { nameOf, type Reader, taskKey } from '../../queries.ts';
import { isMessage, sayNumber, t } from '../../strings/messages.ts';
import { nameProperty } from '../../strings/name-property.ts';
import { type NamesInView, sayViewColumn } from './say-view.ts';

type Row = Readonly<Record<string, Json>>;

interface ChangedField {
  readonly name: string;
  /** Null: there was, or will be, nothing. */
  readonly from: string | null;
  readonly to: string | null;
  /** A text of many words: its differences are shown, not both. */
  readonly isText: boolean;
}

export interface ChangedThing {
  readonly key: string;
  readonly change: 'added' | 'changed' | 'removed';
  readonly thing: string;
  readonly name: string;
  readonly fields: readonly ChangedField[];
}

export interface ChangedGroup {
  /** The id of its task; null: of the project. */
  readonly taskId: string | null;
  /** The key and title of its task; null: its first thing is the task, which has its name beside it. */
  readonly title: string | null;
  readonly things: readonly ChangedThing[];
}

/** Kept by the database, or of no meaning to people. */
const silent = new Set(
  `id project_id task_id created_at updated_at version number order_rank position subtask_position created_by audience_id completed_at
  program edited_at author_id uploaded_by object_path size_bytes content_type parent_version next_on next_at starts_on made
  revision built_in language holds reason`.split(/\s+/),
);
export const isSilent = (column: string): boolean => silent.has(column) && column !== 'project_id';
/** Columns of tasks whose property is called otherwise. */
const properties: Readonly<Record<string, string>> = {
  column_id: 'column',
  parent_id: 'parent',
  project_id: 'project',
};
const texts = new Set(['description', 'body', 'note']);
/** Of tasks, what people write beside their properties. */
const ofTasks = new Set(['title', 'description', 'column_id', 'parent_id', 'archived_at', 'is_restricted']);
const isShown = (table: string, column: string): boolean =>
  table === 'tasks' ? ofTasks.has(column) || (isOwn(column) && !silent.has(column)) : !silent.has(column);

export function nameThing(table: string): string {
  const key = `agents.things.${table === 'storage.objects' ? 'task_attachments' : table}`;
  return isMessage(key) ? t(key as 'agents.things.tasks') : table.replaceAll('_', ' ');
}

export function nameColumn(table: string, column: string): string {
  if (table === 'tasks' && (properties[column] !== undefined || isMessage(`property.${column}`)))
    return nameProperty(`property.${properties[column] ?? column}`, properties[column] ?? column);
  const key = `agents.columns.${column}`;
  return isMessage(key) ? t(key as 'agents.columns.name') : column.replaceAll('_', ' ');
}

/** Columns that point at a row with a name. */
const named = {
  column_id: 'workflow_columns',
  label_id: 'task_labels',
  field_id: 'custom_fields',
  view_id: 'saved_views',
  group_id: 'groups',
} as const;
const isNamed = (column: string): column is keyof typeof named => Object.hasOwn(named, column);

/** Things of one task stand together, in the order in which they were changed. */
export function groupsOf(steps: readonly DifferenceStep[], store: Reader): ChangedGroup[] {
  const names = namesIn(steps, store);
  const groups = new Map<string | null, ChangedThing[]>();
  const told = new Set<string | null>();
  const isWatching = steps.every(({ table }) => table === 'task_watchers');
  steps.forEach((step, at) => {
    // Watchers come and go with the rest.
    if (step.table === 'task_watchers' && !isWatching) return;
    const taskId = taskOf(step);
    const thing = thingOf(step, at, names, store);
    if (thing === null) return;
    if (step.table === 'tasks' && !groups.has(taskId)) told.add(taskId);
    groups.set(taskId, [...(groups.get(taskId) ?? []), thing]);
  });
  return [...groups].map(([taskId, things]) => ({
    ...{ taskId, things },
    title: taskId === null || told.has(taskId) ? null : names.task(taskId),
  }));
}

/** What a proposal would do, by its first thing. */
export function nameProposal(groups: readonly ChangedGroup[]): string {
  const [first, ...more] = groups.flatMap(({ things }) => things);
  if (first === undefined) return t('agents.proposals.unnamed');
  const { change, thing } = first;
  const name = first.name.split('\n', 1)[0]?.slice(0, 80) || t('common.none');
  return t(`agents.proposals.names.${change}`, { thing, name, n: more.length });
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function taskOf({ table, was, becomes }: DifferenceStep): string | null {
  const row = becomes ?? was ?? {};
  return text(table === 'tasks' ? row.id : table === 'task_dependencies' ? row.successor_id : row.task_id) || null;
}

interface Names extends NamesInView {
  readonly of: (
    table: 'workflow_columns' | 'task_labels' | 'custom_fields' | 'saved_views' | 'groups',
    id: string,
  ) => string;
  /** Its words. */
  readonly comment: (id: string) => string;
  readonly person: (id: string) => string;
}

/** Of rows that are here, or are only proposed. */
function namesIn(steps: readonly DifferenceStep[], store: Reader): Names {
  const rows = new Map(
    steps.map(({ table, was, becomes }) => [`${table} ${text((becomes ?? was)?.id)}`, becomes ?? was]),
  );
  const known: Names['known'] = (table, id) => store.get(table, id)?.name ?? text(rows.get(`${table} ${id}`)?.name);
  return {
    task(id) {
      const task = store.get('tasks', id);
      if (task === undefined) return text(rows.get(`tasks ${id}`)?.title) || t('task.history.aTask');
      return `${taskKey(store.get('projects', task.project_id), task)} ${task.title}`;
    },
    known,
    of: (table, id) => known(table, id) || t('common.none'),
    option(fieldId, id) {
      const held = [rows.get(`custom_fields ${fieldId}`), store.get('custom_fields', fieldId)];
      const all = held.flatMap((field) => (Array.isArray(field?.options) ? (field.options as readonly Row[]) : []));
      return text(all.find((one) => one.id === id)?.name);
    },
    comment: (id) =>
      (store.get('task_comments', id)?.body ?? text(rows.get(`task_comments ${id}`)?.body)) || t('common.none'),
    person: (id) => nameOf(store.get('profiles', id)),
  };
}

function thingOf(
  { table, was, becomes }: DifferenceStep,
  at: number,
  names: Names,
  store: Reader,
): ChangedThing | null {
  const row = becomes ?? was;
  if (row === null) return null;
  const change = was === null ? 'added' : becomes === null ? 'removed' : 'changed';
  const fields = change === 'removed' ? [] : fieldsOf(table, was ?? {}, becomes ?? {}, names, store);
  // Of a new thing its name stands beside it already.
  const shown =
    change === 'added'
      ? fields.filter(
          ({ name, to }) => to !== null && to !== t('agents.no') && name !== nameColumn(table, nameIn(table)),
        )
      : fields;
  return {
    key: `${at}`,
    change,
    thing: nameThing(table),
    name: nameRow(table, was ?? row, names, store),
    fields: shown,
  };
}

const nameIn = (table: string): string =>
  table === 'tasks' || table === 'task_checklist_items' ? 'title' : table === 'task_comments' ? 'body' : 'name';

function nameRow(table: string, row: Row, names: Names, store: Reader): string {
  switch (table) {
    case 'task_assignees':
    case 'task_watchers':
    case 'task_grants':
    case 'project_members':
    case 'project_watchers':
      return names.person(text(row.user_id));
    case 'task_label_links':
      return names.of('task_labels', text(row.label_id));
    case 'task_dependencies':
      return names.task(text(row.predecessor_id));
    case 'task_field_values': {
      const id = text(row.field_id);
      const value = showField(store, id, row.value);
      return t('common.pair', { name: names.of('custom_fields', id), value: value ?? t('common.none') });
    }
    case 'comment_reactions':
      return text(row.emoji);
    case 'comment_resolutions':
      return names.comment(text(row.comment_id));
    case 'view_defaults':
      return names.of('saved_views', text(row.view_id));
    case 'task_recurrences':
      return text(row.rule);
    default:
      return text(row[nameIn(table)]) || text(row.title) || text(row.name);
  }
}

function showField(store: Reader, id: string, value: Json | undefined): string | null {
  const field = store.get('custom_fields', id);
  if (field === undefined || value === null || value === undefined || !isFieldKind(field.kind)) return show('', value);
  return showAs(propertyNamed(fieldProperty(field.kind, id)), store, field.project_id, value);
}

function showAs(property: Property, store: Reader, projectId: string, value: Json): string {
  return property.showValue(property.source(store, projectId), value as PropertyValue);
}

function fieldsOf(table: string, was: Row, becomes: Row, names: Names, store: Reader): ChangedField[] {
  if (table === 'task_field_values' && Object.keys(was).length === 0) return [];
  const isLink =
    Object.keys(was).length === 0 &&
    [
      'task_label_links',
      'task_assignees',
      'task_dependencies',
      'task_watchers',
      'comment_reactions',
      'comment_resolutions',
      'project_watchers',
      'view_defaults',
    ].includes(table);
  if (isLink) return [];
  return Object.keys({ ...was, ...becomes })
    .filter((column) => isShown(table, column) && !isSame(was[column], becomes[column]))
    .map((column) => ({
      name: nameColumn(table, column),
      from: showIn(table, column, was[column], was, names, store),
      to: showIn(table, column, becomes[column], becomes, names, store),
      isText: texts.has(column),
    }));
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

function showIn(
  table: string,
  column: string,
  value: Json | undefined,
  row: Row,
  names: Names,
  store: Reader,
): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (isNamed(column)) return names.of(named[column], text(value));
  if (column === 'required_fields' && Array.isArray(value))
    return value.map((one) => names.of('custom_fields', text(one))).join(', ') || null;
  if (column === 'comment_id' || (column === 'parent_id' && table === 'task_comments'))
    return names.comment(text(value));
  if (['parent_id', 'predecessor_id', 'successor_id'].includes(column)) return names.task(text(value));
  if (column === 'user_id' || column === 'owner_id') return names.person(text(value));
  if (column === 'value' && table === 'task_field_values') return showField(store, text(row.field_id), value);
  if (table === 'tasks' && isOwn(column) && column !== 'title')
    return showAs(own[column], store, text(row.project_id), value);
  if (table === 'saved_views' && ofView.has(column))
    return sayViewColumn(column, value, { projectId: text(row.project_id), names, store });
  return sayChoice(table, column, value) ?? show(column, value);
}

const ofView = new Set(['filter', 'layout', 'grouping', 'lanes', 'sort', 'shown']);
const choices = new Set(['level', 'mail', 'mode', 'type']);

/** One of few values that the database has. */
function sayChoice(table: string, column: string, value: Json): string | null {
  const isKind = table === 'workflow_columns' && column === 'kind';
  const key: string = isKind
    ? `common.kinds.${text(value)}`
    : `agents.values.${choices.has(column) ? text(value) : ''}`;
  return isMessage(key) ? t(key as 'agents.values.see') : null;
}

/** A value of which nothing more is known. */
function show(column: string, value: Json | undefined): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return t(value ? 'agents.yes' : 'agents.no');
  if (typeof value === 'number') return sayNumber(value);
  // Texts, or options with a name.
  if (Array.isArray(value)) return value.map((one) => text(one) || text((one as Row | null)?.name)).join(', ') || null;
  if (typeof value !== 'string') return JSON.stringify(value);
  if (column.endsWith('_at')) return sayMoment(value);
  return column.endsWith('_date') ? sayDay(value) : value;
}
