// One line of history as a sentence without its subject.

import { sayDay } from '../../queries/days.ts';
import { type ActivityRow, nameOf, type Reader, taskKey } from '../../queries.ts';
import { t } from '../../strings/messages.ts';

interface FromTo {
  readonly from?: unknown;
  readonly to?: unknown;
  readonly name?: string;
  readonly from_name?: string;
  readonly to_name?: string;
}

export function sayActivity(line: Pick<ActivityRow, 'kind' | 'change' | 'project_id'>, store: Reader): string {
  const change = (line.change ?? {}) as Readonly<Record<string, FromTo>>;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const person = (id: unknown): string => nameOf(store.get('profiles', text(id)));
  const keyOf = (id: unknown): string => {
    const task = store.get('tasks', text(id));
    return task ? taskKey(store.get('projects', task.project_id), task) : t('task.history.aTask');
  };
  switch (line.kind) {
    case 'created':
      return t('task.history.created');
    case 'moved':
      return t('task.history.moved', { from: change.column_id?.from_name ?? '', to: change.column_id?.to_name ?? '' });
    case 'archived':
      return t('task.history.archived');
    case 'restored':
      return t('task.history.restored');
    case 'assigned':
      return t('task.history.assigned', { who: person(change.user_id?.to) });
    case 'unassigned':
      return t('task.history.unassigned', { who: person(change.user_id?.from) });
    case 'labeled':
      return t('task.history.labelled', { label: change.label_id?.name ?? '' });
    case 'unlabeled':
      return t('task.history.unlabelled', { label: change.label_id?.name ?? '' });
    case 'checklist_item_added':
      return t('task.history.itemAdded', { title: text(change.title?.to) });
    case 'checklist_item_removed':
      return t('task.history.itemRemoved', { title: text(change.title?.from) });
    case 'checklist_item_changed':
      return change.is_done
        ? change.is_done.to
          ? t('task.history.itemDone')
          : t('task.history.itemOpen')
        : t('task.history.itemChanged');
    case 'dependency_added':
      return t('task.history.linked', { key: keyOf(change.predecessor_id?.to) });
    case 'dependency_removed':
      return t('task.history.unlinked', { key: keyOf(change.predecessor_id?.from) });
    case 'commented':
      return t('task.history.commented');
    case 'comment_edited':
      return t('task.history.commentEdited');
    case 'comment_deleted':
      return t('task.history.commentDeleted');
    case 'attached':
      return t('task.history.attached', { name: text(change.name?.to) });
    case 'attachment_renamed':
      return t('task.history.attachmentRenamed', { name: text(change.name?.to) });
    case 'detached':
      return t('task.history.detached', { name: text(change.name?.from) });
    case 'updated':
      return Object.entries(change)
        .map(([column, { to, name }]) => sayUpdate(column, to, name))
        .join(', ');
    default:
      return t('task.history.changed');
  }
}

function sayUpdate(column: string, to: unknown, name = ''): string {
  if (column === 'title') return t('task.history.renamed', { title: String(to) });
  if (column === 'description') return t('task.history.described');
  if (column === 'priority') return t('task.history.prioritised', { priority: String(to) });
  if (column === 'due_date')
    return to === null ? t('task.history.dueCleared') : t('task.history.due', { day: sayDay(String(to)) });
  if (column === 'start_date')
    return to === null ? t('task.history.startCleared') : t('task.history.start', { day: sayDay(String(to)) });
  if (column === 'cover_attachment_id')
    return to === null ? t('task.history.coverCleared') : t('task.history.covered', { name });
  if (column === 'estimate')
    return to === null ? t('task.history.estimateCleared') : t('task.history.estimated', { estimate: String(to) });
  return t('task.history.changed');
}
