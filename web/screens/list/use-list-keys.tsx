// Keys of the list: actions of the focused task and of the whole list, and moving from line to line.

import { Pencil, Plus } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { type Action, listedKeys, useActions } from '../../actions/registry.tsx';
import { pointedTask, target } from '../../actions/target.ts';
import { nestTasks, useAct } from '../../commands.ts';
import { type GroupedList, readSubtasks, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { latinKey } from '../../ui/latin-key.ts';
import { selectActions } from '../task/select-actions.tsx';
import type { OnEdit } from './edited-title.ts';
import { parentAbove } from './outline.ts';
import type { ListRowsState } from './use-list-rows.ts';
import type { Selection } from './use-selection.ts';

/** What a row does with the keys by itself; here to be listed. */
const rowKeys = () =>
  listedKeys('row', 'task', [
    ['enter', t('common.openIt')],
    ['up down', t('list.keys.go')],
    ['right', t('table.keys.enter')],
    ['shift+down', t('list.keys.extend')],
  ]);

const outlineKeys = () =>
  listedKeys('outline', 'task', [
    ['tab', t('table.keys.indent')],
    ['shift+tab', t('table.keys.outdent')],
  ]);

interface ListKeys {
  readonly list: GroupedList;
  readonly rows: ListRowsState;
  readonly selection: Selection;
  readonly canWrite: boolean;
  readonly outline: boolean;
  /** Several can be selected, and changed together. */
  readonly selects: boolean;
  /** Null: no task begins here. */
  readonly onAdd: (() => void) | null;
  readonly onEdit: OnEdit;
}

/** Offers the actions; answers what is to be done with a key that is pressed in the rows. */
export function useListKeys({ list, rows, selection, canWrite, outline, selects, onAdd, onEdit }: ListKeys) {
  const { items, live, focusedRow, focusRow, taskIdAt } = rows;
  const store = useReader();
  const act = useAct();
  /** Of the task that is meant: it has the focus, or is pointed at. */
  const meantRow = (): number => {
    const taskId = pointedTask();
    if (taskId === undefined || taskIdAt(focusedRow()) === taskId) return focusedRow();
    return items.findIndex((item) => item.kind === 'task' && item.task.id === taskId);
  };
  const adding: Action[] = onAdd
    ? [{ id: 'add-task', label: t('board.add'), group: 'project', keys: 'c', icon: <Plus size={16} />, effect: onAdd }]
    : [];
  const selecting = selectActions(
    () => {
      const at = meantRow();
      if (at >= 0) selection.pick(at, false);
    },
    () =>
      selection.set(
        list.groups.flatMap((group) => group.tasks.map((task) => task.id)),
        true,
      ),
  );
  const writing: Action[] = [
    ...adding,
    ...(selects ? selecting : []),
    {
      id: 'edit-title',
      label: t('list.editFocused'),
      group: 'task',
      keys: 'e|f2',
      icon: <Pencil size={16} />,
      // In the panel beside the list they are about the open task.
      meant: () => target()?.back === undefined,
      effect: () => {
        const at = meantRow();
        if (at >= 0) onEdit('open', at);
      },
    },
  ];
  useActions(canWrite ? [...writing, ...rowKeys(), ...(outline ? outlineKeys() : [])] : rowKeys().slice(0, 3));

  /** A part of the task above, or beside the one it was a part of. False: there is no such place, and Tab is for the browser. */
  function nest(at: number, out: boolean): boolean {
    const item = items[at];
    if (item?.kind !== 'task') return false;
    const { task, key } = item;
    const parent = out ? store.get('tasks', task.parent_id ?? '') : parentAbove(items, at);
    if (!parent) return false;
    const among = parent.parent_id ?? null;
    const place = out && among ? readSubtasks(store, among).findIndex(({ id }) => id === parent.id) + 1 : undefined;
    const focused = document.activeElement;
    void act(nestTasks, [task.id], out ? among : parent.id, place);
    // It stands elsewhere now, and may have lost the focus on the way; where it has not, whoever goes on stays where they go.
    requestAnimationFrame(() => {
      if (focused?.isConnected && document.activeElement !== document.body) return;
      const now = live.current.items.findIndex((one) => one.key === key);
      if (now >= 0) focusRow(now);
    });
    return true;
  }

  return (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    if (target.matches('input:not([type="checkbox"]), textarea, select')) return;
    // Popovers hang elsewhere in the page but their keys arrive here all the same.
    if (!event.currentTarget.contains(target)) return;
    if (event.key === 'Tab' && outline && canWrite && target.matches('[data-row-link]')) {
      const plain = !event.altKey && !event.metaKey && !event.ctrlKey;
      if (plain && nest(focusedRow(), event.shiftKey)) event.preventDefault();
      return;
    }
    const at = focusedRow() >= 0 ? focusedRow() : Number(target.dataset.group ?? -1);
    const step = { ArrowDown: 1, j: 1, J: 1, ArrowUp: -1, k: -1, K: -1 }[latinKey(event)];
    if (step === undefined || at < 0 || event.metaKey || event.ctrlKey || event.altKey) return;
    const next = Math.min(Math.max(at + step, 0), items.length - 1);
    event.preventDefault();
    if (event.shiftKey && canWrite && selects) {
      if (selection.ids.size === 0) selection.pick(at, false);
      selection.pick(next, true);
    }
    focusRow(next);
  };
}
