// One line of history as a sentence without its subject.

import { sayDay } from '../../queries/days.ts';
import { nameOf, taskKey } from '../../queries.ts';
import { words } from '../../strings/words.ts';
import type { ActivityRow, Priority } from '../../sync/rows.ts';
import type { Store } from '../../sync/store.ts';

interface FromTo {
  readonly from?: unknown;
  readonly to?: unknown;
  readonly name?: string;
  readonly from_name?: string;
  readonly to_name?: string;
}

const say = words.task.history;

export function sayActivity(line: Pick<ActivityRow, 'kind' | 'change' | 'project_id'>, store: Store): string {
  const change = (line.change ?? {}) as Readonly<Record<string, FromTo>>;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const person = (id: unknown): string => nameOf(store.get('profiles', text(id)));
  const keyOf = (id: unknown): string => {
    const task = store.get('tasks', text(id));
    return task ? taskKey(store.get('projects', task.project_id), task) : say.aTask;
  };
  switch (line.kind) {
    case 'created':
      return say.created;
    case 'moved':
      return say.moved(change.column_id?.from_name ?? '', change.column_id?.to_name ?? '');
    case 'archived':
      return say.archived;
    case 'restored':
      return say.restored;
    case 'assigned':
      return say.assigned(person(change.user_id?.to));
    case 'unassigned':
      return say.unassigned(person(change.user_id?.from));
    case 'labeled':
      return say.labelled(change.label_id?.name ?? '');
    case 'unlabeled':
      return say.unlabelled(change.label_id?.name ?? '');
    case 'checklist_item_added':
      return say.itemAdded(text(change.title?.to));
    case 'checklist_item_removed':
      return say.itemRemoved(text(change.title?.from));
    case 'checklist_item_changed':
      return change.is_done ? (change.is_done.to ? say.itemDone : say.itemOpen) : say.itemChanged;
    case 'dependency_added':
      return say.linked(keyOf(change.predecessor_id?.to));
    case 'dependency_removed':
      return say.unlinked(keyOf(change.predecessor_id?.from));
    case 'commented':
      return say.commented;
    case 'comment_edited':
      return say.commentEdited;
    case 'comment_deleted':
      return say.commentDeleted;
    case 'attached':
      return say.attached(text(change.name?.to));
    case 'detached':
      return say.detached(text(change.name?.from));
    case 'updated':
      return Object.entries(change)
        .map(([column, { to }]) => sayUpdate(column, to))
        .join(', ');
    default:
      return say.changed;
  }
}

function sayUpdate(column: string, to: unknown): string {
  if (column === 'title') return say.renamed(String(to));
  if (column === 'description') return say.described;
  if (column === 'priority') return say.prioritised(words.common.priorities[to as Priority]);
  if (column === 'due_date') return to === null ? say.dueCleared : say.due(sayDay(String(to)));
  if (column === 'start_date') return to === null ? say.startCleared : say.start(sayDay(String(to)));
  if (column === 'estimate') return to === null ? say.estimateCleared : say.estimated(String(to));
  return say.changed;
}
