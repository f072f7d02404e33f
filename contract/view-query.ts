// A filter as one PostgREST query over `tasks`: embeds that bring nothing but say whether something is there, what narrows them, and one
// tree of conditions. Whoever asks adds the columns, the order and the page. The app reads the same filter against its store: web/queries/views/filtering.ts.

import { fieldIn } from './field-properties.ts';
import {
  type Condition,
  dayAfter,
  type Group,
  isGroup,
  kindOf,
  lastFrom,
  type OwnProperty,
  type Part,
  partsOf,
  readKeyWords,
} from './views.ts';

export interface FilterQuery {
  /** For `select`, behind one's own columns: `assignee1:task_assignees()`. */
  readonly embeds: readonly string[];
  /** What narrows the embeds, as parameters: `assignee1.user_id`, `in.(…)`. */
  readonly narrowing: readonly (readonly [column: string, operator: string, value: string])[];
  /** For `or=(…)`, or `.or(…)` of supabase-js; empty where every task passes. */
  readonly where: string;
}

type Narrowed = readonly [column: string, operator: string, value: string];

/** What hangs on a task: the rows that say so, where in them a choice stands, and which of them count. */
interface Rows {
  readonly relation: string;
  readonly column: string;
  readonly only?: readonly Narrowed[];
  /** What of the task itself has to hold. */
  readonly when?: readonly string[];
}

const predecessors = 'task_dependencies!task_dependencies_successor_of_same_project';

const hanging = {
  assignee: { relation: 'task_assignees', column: 'user_id' },
  label: { relation: 'task_label_links', column: 'label_id' },
  kind: { relation: 'workflow_columns', column: 'kind' },
  waits_for: { relation: predecessors, column: 'predecessor_id' },
  blocked: {
    relation: `${predecessors}(on:tasks!task_dependencies_predecessor_of_same_project!inner())`,
    column: 'id',
    only: [
      ['on.completed_at', 'is', 'null'],
      ['on.archived_at', 'is', 'null'],
    ],
    when: ['completed_at.is.null'],
  },
  has_subtasks: { relation: 'tasks', column: 'id', only: [['archived_at', 'is', 'null']] },
  has_checklist: { relation: 'task_checklist_items', column: 'id' },
  has_files: { relation: 'task_attachments', column: 'id' },
  recurring: { relation: 'task_recurrences', column: 'id' },
  watcher: { relation: 'task_watchers', column: 'user_id', only: [['is_watching', 'is', 'true']] },
  commenter: { relation: 'task_comments', column: 'author_id' },
} as const satisfies Partial<Record<OwnProperty, Rows>>;
type Hanging = keyof typeof hanging;

/** `filter` is settled: no relative days, no "me". `startOf`: the moment a day begins for who asks, as a timestamp. */
export function queryOf(filter: Group, startOf: (day: string) => string): FilterQuery {
  const embeds: string[] = [];
  const narrowing: [string, string, string][] = [];

  /** The name under which a relation is embedded; there is a row in it or not. */
  function embed(relation: string, ...narrowed: Narrowed[]): string {
    const name = `f${embeds.length + 1}`;
    embeds.push(`${name}:${relation.endsWith(')') ? relation : `${relation}()`}`);
    for (const [column, operator, value] of narrowed) narrowing.push([`${name}.${column}`, operator, value]);
    return name;
  }

  function part(of: Part): string {
    if (!isGroup(of)) return condition(of);
    const parts = partsOf(of).map(part);
    return parts.length === 1 ? (parts[0] ?? '') : `${'all' in of ? 'and' : 'or'}(${parts.join()})`;
  }

  function condition(of: Condition): string {
    const { property } = of;
    const field = fieldIn(property);
    if (field) return ofField(of, field.id);
    switch (kindOf(property)) {
      case 'words':
        return words(of);
      case 'moment':
        return moment(of);
      default:
        return property in hanging ? linked(of, hanging[property as Hanging]) : plain(of, columnOf(property));
    }
  }

  function words({ property, is, value }: Condition): string {
    if (is === 'empty' || is === 'not_empty') return plain({ property, is }, property);
    const typed = String(value);
    if (is === 'is') return `title.eq.${quoted(typed)}`;
    if (is === 'is_not') return `title.neq.${quoted(typed)}`;
    // A pattern of LIKE cannot say a star.
    const held = `title.imatch.${quoted(patternOf(typed))}`;
    const named = property === 'text' ? readKeyWords(typed) : null;
    if (named === null) return held;
    const numbers = named.from.map((start, at) =>
      at === 0 ? `number.eq.${start}` : `and(number.gte.${start},number.lte.${lastFrom(start, at)})`,
    );
    if (named.key === null) return `or(${[held, ...numbers].join()})`;
    const project = embed('projects', ['key', 'eq', named.key]);
    return `or(${held},and(${project}.not.is.null,or(${numbers.join()})))`;
  }

  function linked({ property, is, value }: Condition, { relation, column, only = [], when }: Rows): string {
    if (kindOf(property) === 'flag') {
      const there = `and(${[...(when ?? []), `${embed(relation, ...only)}.not.is.null`].join()})`;
      return value === 'yes' ? there : `not.${there}`;
    }
    if (is === 'empty' || is === 'not_empty')
      return `${embed(relation, ...only)}.${is === 'empty' ? 'is' : 'not.is'}.null`;
    const wanted = typeof value === 'object' ? value : [String(value)];
    const name = embed(relation, ...only, [column, 'in', `(${wanted.map(quoted).join()})`]);
    return `${name}.${is === 'is' || is === 'any_of' ? 'not.is' : 'is'}.null`;
  }

  /** What a task holds in a field is a row; where there is none it is neither what is meant, nor before or after it. */
  function ofField({ property, is, value }: Condition, id: string): string {
    const held = (...narrowed: Narrowed[]): string => embed('task_field_values', ['field_id', 'eq', id], ...narrowed);
    if (is === 'empty' || is === 'not_empty') return `${held()}.${is === 'empty' ? 'is' : 'not.is'}.null`;
    const wants = is === 'is_not' || is === 'none_of' || value === 'no' ? 'is' : 'not.is';
    switch (kindOf(property)) {
      case 'flag':
        return `${held(['value', 'eq', 'true'])}.${wants}.null`;
      case 'words': {
        const narrowed =
          is === 'contains' ? (['imatch', patternOf(String(value))] as const) : (['eq', String(value)] as const);
        return `${held(['words', ...narrowed])}.${wants}.null`;
      }
      case 'choices': {
        const some = (typeof value === 'object' ? value : [String(value)]).map(
          (one) => `${held(['value', 'cs', JSON.stringify([one])])}.${wants}.null`,
        );
        return some.length === 1 ? (some[0] ?? '') : `${wants === 'is' ? 'and' : 'or'}(${some.join()})`;
      }
      case 'choice': {
        const some = typeof value === 'object' ? value : [String(value)];
        return `${held(['words', 'in', `(${some.map(quoted).join()})`])}.${wants}.null`;
      }
      default: {
        const compared = is === 'is' || is === 'is_not' ? 'eq' : comparisons[is as keyof typeof comparisons];
        return `${held(['value', compared, JSON.stringify(value)])}.${wants}.null`;
      }
    }
  }

  function moment({ property, is, value }: Condition): string {
    if (is === 'empty' || is === 'not_empty') return `${property}.${is === 'empty' ? 'is' : 'not.is'}.null`;
    const day = String(value);
    const start = `"${startOf(day)}"`;
    const next = `"${startOf(dayAfter(day))}"`;
    switch (is) {
      case 'before':
        return `${property}.lt.${start}`;
      case 'on_or_before':
        return `${property}.lt.${next}`;
      case 'after':
        return `${property}.gte.${next}`;
      case 'on_or_after':
        return `${property}.gte.${start}`;
      case 'is':
        return `and(${property}.gte.${start},${property}.lt.${next})`;
      default:
        return `or(${property}.lt.${start},${property}.gte.${next},${property}.is.null)`;
    }
  }

  const { length } = partsOf(filter);
  return { where: length === 0 ? '' : part(filter), embeds, narrowing };
}

function columnOf(property: Condition['property']): string {
  return property === 'column' || property === 'project' || property === 'parent' ? `${property}_id` : property;
}

/** For `imatch`, in which a dot, say, is a dot. */
function patternOf(typed: string): string {
  return typed.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const comparisons = {
  before: 'lt',
  after: 'gt',
  on_or_before: 'lte',
  on_or_after: 'gte',
  at_least: 'gte',
  at_most: 'lte',
};

function plain({ is, value }: Condition, column: string): string {
  if (is === 'empty' || is === 'not_empty') return `${column}.${is === 'empty' ? 'is' : 'not.is'}.null`;
  const list = `(${(typeof value === 'object' ? value : [String(value)]).map(quoted).join()})`;
  if (is === 'any_of') return `${column}.in.${list}`;
  // What has no value is not the one that is meant.
  if (is === 'none_of') return `or(${column}.not.in.${list},${column}.is.null)`;
  const one = quoted(String(value));
  if (is === 'is') return `${column}.eq.${one}`;
  if (is === 'is_not') return `or(${column}.neq.${one},${column}.is.null)`;
  return `${column}.${comparisons[is as keyof typeof comparisons]}.${one}`;
}

function quoted(value: string): string {
  return /^[\w+-]+$/.test(value) ? value : `"${value.replace(/[\\"]/g, '\\$&')}"`;
}
