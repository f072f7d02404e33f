// Picker of another task of the project: one that this one waits for, one that waits for it, or its parent; for many tasks at once, too. What
// would close a circle is not offered, or says so; of many, those that would are left out.

import { useState } from 'react';
import { linkManyTasks, nestTasks, useAct } from '../../commands.ts';
import { leadsTo, type Reader, type TaskRow, taskKey, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Picker, type PickerItem, type PickerProps } from '../../ui/fields/picker.tsx';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import type { Relation } from './relations.ts';

interface LinkPickerProps extends Pick<PickerProps, 'trigger' | 'label' | 'startOpen' | 'onClosed'> {
  readonly relation: Relation;
  readonly task: TaskRow;
  /** Many, of which it is the first. */
  readonly taskIds?: readonly string[];
}

const mostFound = 40;

export function LinkPicker({ relation, task, taskIds = [task.id], ...popover }: LinkPickerProps) {
  const store = useReader();
  const act = useAct();
  const search = (text: string): PickerItem[] =>
    taskIds.length === 1 ? findCandidates(store, relation, task, text) : findForMany(store, relation, taskIds, text);
  const [items, setItems] = useState(() => (popover.startOpen ? search('') : []));
  function pick(id: string): void {
    const isLeft = relation === 'parent' && haveParent(store, taskIds, id);
    const able = isLeft ? taskIds : taskIds.filter((one) => isAble(store, relation, one, id));
    if (able.length < taskIds.length) showMessage(t('task.someLinked', { n: able.length, all: taskIds.length }));
    if (able.length === 0) return;
    if (relation === 'parent') void act(nestTasks, able, isLeft ? null : id);
    else void act(linkManyTasks, able, relation, id);
  }
  return <Picker {...popover} items={items} searched onSearch={(text) => setItems(search(text))} onPick={pick} />;
}

const haveParent = (store: Reader, taskIds: readonly string[], parentId: string): boolean =>
  taskIds.every((id) => store.get('tasks', id)?.parent_id === parentId);

/** The task can be put into that relation to the other one, and is not yet. */
function isAble(store: Reader, relation: Relation, taskId: string, otherId: string): boolean {
  const task = store.get('tasks', taskId);
  const other = store.get('tasks', otherId);
  if (!task || !other || taskId === otherId) return false;
  if (relation === 'parent') return task.parent_id !== otherId && !isBelow(store, other, taskId);
  return linkNotes(store, relation, task)(other) === undefined;
}

/** Any may be chosen for many: of these, those that can't are left out. */
function findForMany(store: Reader, relation: Relation, taskIds: readonly string[], text: string): PickerItem[] {
  const needle = text.trim().toLocaleLowerCase();
  const projectId = store.get('tasks', taskIds[0] ?? '')?.project_id ?? '';
  const project = store.get('projects', projectId);
  return store
    .where('tasks', 'project_id', projectId)
    .filter(({ archived_at }) => archived_at === null)
    .map((one) => ({ id: one.id, label: `${taskKey(project, one)} ${one.title}` }))
    .filter(({ label }) => label.toLocaleLowerCase().includes(needle))
    .slice(0, mostFound)
    .map((one) => ({ ...one, chosen: relation === 'parent' && haveParent(store, taskIds, one.id) }));
}

function findCandidates(store: Reader, relation: Relation, task: TaskRow, text: string): PickerItem[] {
  const needle = text.trim().toLocaleLowerCase();
  const project = store.get('projects', task.project_id);
  const noteOf = relation === 'parent' ? () => undefined : linkNotes(store, relation, task);
  const found: PickerItem[] = [];
  for (const one of store.where('tasks', 'project_id', task.project_id)) {
    if (one.id === task.id || one.archived_at !== null) continue;
    const label = `${taskKey(project, one)} ${one.title}`;
    if (needle && !label.toLocaleLowerCase().includes(needle)) continue;
    if (relation === 'parent' && isBelow(store, one, task.id)) continue;
    const note = noteOf(one);
    found.push({
      ...{ id: one.id, label, chosen: relation === 'parent' && one.id === task.parent_id },
      ...(note ? { note, disabled: true } : {}),
    });
    if (found.length >= mostFound) break;
  }
  return found;
}

function linkNotes(store: Reader, relation: Relation, task: TaskRow): (one: TaskRow) => string | undefined {
  const before = relation === 'blocked_by';
  const linked = new Set(
    before
      ? store.where('task_dependencies', 'successor_id', task.id).map((link) => link.predecessor_id)
      : store.where('task_dependencies', 'predecessor_id', task.id).map((link) => link.successor_id),
  );
  return ({ id }) => {
    if (linked.has(id)) return t('task.alreadyLinked');
    // Waiting for something that waits for us would never end.
    return (before ? leadsTo(store, task.id, id) : leadsTo(store, id, task.id)) ? t('task.wouldClose') : undefined;
  };
}

/** Somewhere among the parts of that task. */
function isBelow(store: Reader, task: TaskRow, aboveId: string): boolean {
  const seen = new Set<string>();
  for (let at: TaskRow | undefined = task; at?.parent_id && !seen.has(at.id); at = store.get('tasks', at.parent_id)) {
    if (at.parent_id === aboveId) return true;
    seen.add(at.id);
  }
  return false;
}
