// One line of history as a sentence without its subject.

import { isFieldKind } from '../../../contract/field-properties.ts';
import { fieldOfKind } from '../../properties/field.ts';
import { isOwn, own } from '../../properties/own.ts';
import { type ActivityRow, nameOf, type Reader, taskKey } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { nameProperty } from '../../strings/name-property.ts';

interface FromTo {
  readonly from?: unknown;
  readonly to?: unknown;
  readonly name?: string;
  readonly kind?: string;
  readonly unit?: string;
  readonly from_name?: string;
  readonly to_name?: string;
}

export function sayActivity(
  line: Pick<ActivityRow, 'kind' | 'change' | 'project_id' | 'actor_id'>,
  store: Reader,
): string {
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
    case 'moved_in':
      return t('task.history.movedIn', { key: text(change.key?.from) });
    case 'moved_out':
      return t('task.history.movedOut', { title: text(change.title) });
    case 'archived':
      return t('task.history.archived');
    case 'restored':
      return t('task.history.restored');
    case 'assigned':
      return t('task.history.assigned', { who: person(change.user_id?.to) });
    case 'unassigned':
      return t('task.history.unassigned', { who: person(change.user_id?.from) });
    case 'claimed':
      return t('writing.claims.claimed');
    case 'claim_released':
      return sayRelease(text(change.note), change.user_id?.from === line.actor_id ? '' : person(change.user_id?.from));
    case 'claim_expired':
      return t('writing.claims.expired');
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
    case 'dependency_changed':
      return t('task.history.lagged', { n: Number(change.lag_days?.to ?? 0) });
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
        .map(([column, one]) =>
          column === 'field' ? sayField(one, person) : sayUpdate(column, one.to, one.name ?? '', one.from),
        )
        .join(', ');
    default:
      return t('task.history.changed');
  }
}

/** By its person, or by an owner. */
function sayRelease(note: string, name: string): string {
  const said = name === '' ? t('writing.claims.released') : t('writing.claims.releasedOf', { name });
  return note === '' ? said : t('writing.claims.withNote', { said, note });
}

/** A field of the project; of options the names they had then. */
function sayField({ kind, name = '', unit, to, to_name }: FromTo, person: (id: unknown) => string): string {
  if (!isFieldKind(kind)) return t('task.history.changed');
  const property = fieldOfKind(kind);
  if (to_name !== undefined) return t('task.history.fieldSet', { name, value: to_name });
  return property.sayChange(name, to, { unit: unit ?? null, choice: (id) => ({ id, name: person(id) }) });
}

function sayUpdate(column: string, to: unknown, name: string, from: unknown): string {
  if (column === 'subtask')
    return t(from === null ? 'task.history.subtaskAdded' : 'task.history.subtaskRemoved', { title: name });
  if (column === 'parent_id') return t(to === null ? 'task.history.unnested' : 'task.history.nested', { parent: name });
  if (column === 'recurrence')
    return t(
      to === null
        ? 'task.history.repeatsNoMore'
        : (to as { paused?: boolean }).paused
          ? 'task.history.repeatsPaused'
          : 'task.history.repeats',
    );
  if (column === 'is_restricted') return t(to === true ? 'task.history.restricted' : 'task.history.opened');
  if (column === 'repeats') return t(to === null ? 'task.history.repeated' : 'task.history.repeatedAs', { task: name });
  if (column === 'template') return t('task.history.fromTemplate', { name });
  if (column === 'description') return t('task.history.described');
  if (column === 'cover_attachment_id')
    return to === null ? t('task.history.coverCleared') : t('task.history.covered', { name });
  return isOwn(column)
    ? own[column].sayChange(nameProperty(`property.${column}`, column), to, {})
    : t('task.history.changed');
}
