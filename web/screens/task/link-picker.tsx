// Picker of another task of the project: one that this one waits for, one that waits for it, or its parent. What would close a circle is not
// offered, or says so.

import { useState } from 'react';
import { linkTasks, nestTask, useAct } from '../../commands.ts';
import { leadsTo, type Reader, type TaskRow, taskKey, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Picker, type PickerItem, type PickerProps } from '../../ui/fields/picker.tsx';
import type { Relation } from './relations.ts';

interface LinkPickerProps extends Pick<PickerProps, 'trigger' | 'label' | 'startOpen' | 'onClosed'> {
  readonly relation: Relation;
  readonly task: TaskRow;
}

const mostFound = 40;

export function LinkPicker({ relation, task, ...popover }: LinkPickerProps) {
  const store = useReader();
  const act = useAct();
  const search = (text: string): PickerItem[] => findCandidates(store, relation, task, text);
  const [items, setItems] = useState(() => (popover.startOpen ? search('') : []));
  function pick(id: string): void {
    if (relation === 'parent') void act(nestTask, task.id, id === task.parent_id ? null : id);
    else if (relation === 'blocks') void act(linkTasks, task.id, id);
    else void act(linkTasks, id, task.id);
  }
  return <Picker {...popover} items={items} searched onSearch={(text) => setItems(search(text))} onPick={pick} />;
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
