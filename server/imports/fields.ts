// Fields that a column of a table can hold, with the names that products and people use for them. A column without a match is kept in the
// description.

import { type Figure, figures } from '../../contract/views.ts';

export const fields = [
  'id',
  'alias',
  'title',
  'description',
  'state',
  'done',
  'priority',
  'labels',
  'assignees',
  'parent',
  'waits_for',
  'start',
  'due',
  ...figures,
  'created',
  'completed',
  'comment',
  'checklist',
  'attachments',
  'keep',
  'leave_out',
] as const;
/** `attachments`: names of files in the zip. `keep`: into the description, under the column's name. `leave_out` is only ever chosen by hand. */
export type FieldName = (typeof fields)[number];

const [short, words, texts] = [100, 20_000, 1_000_000] as const;

/** Characters of a cell: no task keeps more of what such a column holds. */
export const longestCells: Readonly<Record<FieldName, number>> = {
  id: words,
  alias: words,
  title: words,
  description: texts,
  state: words,
  done: short,
  priority: words,
  labels: words,
  assignees: words,
  parent: words,
  waits_for: words,
  start: short,
  due: short,
  ...(Object.fromEntries(figures.map((name) => [name, short])) as Readonly<Record<Figure, number>>),
  created: short,
  completed: short,
  comment: texts,
  checklist: texts,
  attachments: words,
  keep: texts,
  leave_out: texts,
};

const names: Readonly<Partial<Record<FieldName, readonly string[]>>> = {
  id: ['id', 'key', 'issue key', 'task id', 'issue id', 'card id', 'number', 'nr', 'nummer', 'uuid'],
  title: [
    'title',
    'name',
    'task',
    'task name',
    'card name',
    'summary',
    'subject',
    'content',
    'titel',
    'aufgabe',
    'betreff',
    'zusammenfassung',
    'issue',
    'what',
  ],
  description: [
    'description',
    'notes',
    'note',
    'desc',
    'body',
    'details',
    'card description',
    'beschreibung',
    'notizen',
    'notiz',
  ],
  state: [
    'status',
    'state',
    'list',
    'list name',
    'column',
    'section',
    'section/column',
    'stage',
    'bucket',
    'bucket name',
    'phase',
    'liste',
    'spalte',
    'zustand',
    'group',
  ],
  done: ['done', 'completed', 'complete', 'closed', 'is done', 'erledigt', 'fertig'],
  priority: ['priority', 'prio', 'importance', 'priorität', 'wichtigkeit'],
  labels: [
    'labels',
    'label',
    'tags',
    'tag',
    'components',
    'component/s',
    'categories',
    'category',
    'etiketten',
    'schlagwörter',
    'kategorie',
  ],
  assignees: [
    'assignee',
    'assignees',
    'assigned to',
    'owner',
    'responsible',
    'assignee email',
    'assignee username',
    'members',
    'zuständig',
    'zugewiesen an',
    'verantwortlich',
    'bearbeiter',
  ],
  parent: [
    'parent',
    'parent task',
    'parent id',
    'parent issue',
    'parent key',
    'epic',
    'übergeordnet',
    'übergeordnete aufgabe',
  ],
  waits_for: [
    'blocked by',
    'depends on',
    'dependencies',
    'predecessors',
    'blocked by (dependencies)',
    'wartet auf',
    'vorgänger',
  ],
  start: ['start', 'start date', 'starts', 'start on', 'beginn', 'startdatum', 'anfang'],
  due: [
    'due',
    'due date',
    'deadline',
    'due on',
    'end date',
    'date',
    'fällig',
    'fällig am',
    'fälligkeitsdatum',
    'frist',
    'termin',
    'ende',
  ],
  estimate: [
    'estimate',
    'story points',
    'points',
    'effort',
    'weight',
    'schätzung',
    'aufwand',
    'custom field (story points)',
  ],
  created: [
    'created',
    'created at',
    'created date',
    'creation date',
    'created on',
    'created at (utc)',
    'erstellt',
    'erstellt am',
    'angelegt',
  ],
  completed: [
    'completed at',
    'completed date',
    'closed at',
    'closed at (utc)',
    'resolved',
    'done at',
    'finished',
    'erledigt am',
    'abgeschlossen am',
  ],
  comment: ['comment', 'comments', 'kommentar', 'kommentare'],
  checklist: ['checklist', 'checklist items', 'checkliste'],
  attachments: ['attachments', 'attachment', 'files', 'file', 'anhänge', 'anhang', 'dateien'],
};

const byName = new Map(
  Object.entries(names).flatMap(([field, known]) => (known ?? []).map((name) => [name, field as FieldName] as const)),
);
/** A task has one of each; a second column that looks the same is kept as it is. */
const single: readonly FieldName[] = [
  'id',
  'title',
  'description',
  'state',
  'done',
  'priority',
  'parent',
  'start',
  'due',
  ...figures,
  'created',
  'completed',
];

/** What each column seems to be: the first column named so, where there can be one only. */
export function guessFields(header: readonly string[], known: Readonly<Record<string, FieldName>> = {}): FieldName[] {
  const taken = new Set<FieldName>();
  const guesses = header.map((name) => {
    const plain = name.trim().toLowerCase();
    const field = known[plain] ?? (Object.keys(known).length > 0 ? 'keep' : byName.get(plain)) ?? 'keep';
    if (single.includes(field) && taken.has(field)) return 'keep';
    taken.add(field);
    return field;
  });
  // Something must be the title: the first column that is nothing else.
  if (!taken.has('title')) {
    const free = guesses.indexOf('keep');
    if (free >= 0) guesses[free] = 'title';
  }
  return guesses;
}
