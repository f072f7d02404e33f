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
  const search = (text: string): PickerItem[] => findTasks(store, relation, taskIds, text);
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
  if (!task || !other || (relation === 'parent' && task.parent_id === otherId)) return false;
  return obstacleOf(store, relation, task)(other) === undefined;
}

/** Offered is what one of the tasks at least can be put into that relation to; the others are left out. */
function findTasks(store: Reader, relation: Relation, taskIds: readonly string[], text: string): PickerItem[] {
  const needle = text.trim().toLocaleLowerCase();
  const tasks = taskIds.map((id) => store.get('tasks', id)).filter((task) => task !== undefined);
  const projectId = tasks[0]?.project_id ?? '';
  const project = store.get('projects', projectId);
  const obstacles = tasks.map((task) => obstacleOf(store, relation, task));
  const found: PickerItem[] = [];
  for (const one of store.where('tasks', 'project_id', projectId)) {
    const label = `${taskKey(project, one)} ${one.title}`;
    if (one.archived_at !== null || !label.toLocaleLowerCase().includes(needle)) continue;
    const isFree = obstacles.some((of) => of(one) === undefined);
    const note = isFree ? undefined : obstacles.map((of) => of(one)).find((said) => said !== null);
    if (!isFree && note === undefined) continue;
    found.push({
      ...{ id: one.id, label, chosen: relation === 'parent' && haveParent(store, taskIds, one.id) },
      ...(note ? { note, disabled: true } : {}),
    });
    if (found.length >= mostFound) break;
  }
  return found;
}

/** Says what keeps the task out of that relation to another one; null: nothing to say of it. */
function obstacleOf(store: Reader, relation: Relation, task: TaskRow): (one: TaskRow) => string | null | undefined {
  if (relation === 'parent') return (one) => (one.id === task.id || isBelow(store, one, task.id) ? null : undefined);
  const before = relation === 'blocked_by';
  const linked = new Set(
    before
      ? store.where('task_dependencies', 'successor_id', task.id).map((link) => link.predecessor_id)
      : store.where('task_dependencies', 'predecessor_id', task.id).map((link) => link.successor_id),
  );
  return ({ id }) => {
    if (id === task.id) return null;
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
