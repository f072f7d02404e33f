// The list: the project's tasks in rows, grouped and sorted, changed in place or many at once. Only rows near the screen are drawn.

import { type Range, useVirtualizer } from '@tanstack/react-virtual';
import { CheckCheck, Pencil, Plus, SquareCheck } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Action, heardKeys, useActions } from '../../actions/registry.tsx';
import { createTask, newId, useAct } from '../../commands.ts';
import {
  columnsOf,
  type GroupedList,
  groupedListOf,
  mayWrite,
  roleIn,
  type TaskGroup,
  useQuery,
} from '../../queries.ts';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { TaskRow } from '../../sync/rows.ts';
import { Button } from '../../ui/button.tsx';
import { drawnLines, focusedLine } from '../../ui/drawn-lines.ts';
import { EmptyState, Loading, Skeleton } from '../../ui/state.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { useRem } from '../../ui/use-rem.ts';
import { FilterBar, FilterBarSkeleton } from '../project/filter-bar.tsx';
import { useTaskFilter } from '../project/task-filter.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import { BulkBar } from './bulk-bar.tsx';
import { ColumnHeads, GroupHead, OptionMenus } from './heads.tsx';
import { useListOptions } from './list-options.ts';
import { Row } from './row.tsx';
import { useSelection } from './use-selection.ts';
import '../board/card.css';
import './list.css';

const say = words.list;

type Item =
  | { readonly kind: 'head'; readonly key: string; readonly group: TaskGroup }
  | { readonly kind: 'task'; readonly key: string; readonly task: TaskRow };

function flatten(list: GroupedList, folded: ReadonlySet<string>): Item[] {
  const bare = list.groups.length === 1 && list.groups[0]?.id === 'all';
  return list.groups.flatMap((group): Item[] => [
    ...(bare ? [] : [{ kind: 'head', key: `group ${group.id}`, group } as const]),
    ...(folded.has(group.id)
      ? []
      : group.tasks.map((task) => ({ kind: 'task', key: `${group.id} ${task.id}`, task }) as const)),
  ]);
}

/** What a row does with the keys by itself; here to be listed. */
const rowKeys = heardKeys('row', 'task', [
  ['enter', say.keys.open],
  ['up down', say.keys.go],
  ['shift+down', say.keys.extend],
]);

export default function List({ project, loading }: ProjectViewProps) {
  const { userId } = useSync();
  const act = useAct();
  const handle = useTaskFilter();
  const options = useListOptions();
  const list = useQuery(groupedListOf, project.id, handle.text, options.grouping, options.sorting, options.backwards);
  const columns = useQuery(columnsOf, project.id);
  const canWrite = mayWrite(useQuery(roleIn, project.id, userId)) && project.archived_at === null;
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [editing, setEditing] = useState<string | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const focusedRow = useCallback(() => focusedLine(frame.current, 'row'), []);
  const items = useMemo(() => flatten(list, folded), [list, folded]);
  const columnById = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const narrow = useNarrow();
  const rem = useRem();
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => (items[index]?.kind !== 'head' && narrow ? 3.75 : 2.5) * rem,
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 12,
    rangeExtractor: useCallback((range: Range) => drawnLines(range, [focusedRow()]), [focusedRow]),
  });
  const live = useRef({ items, virtualizer });
  live.current = { items, virtualizer };
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are as high as the width and the type say
  useEffect(() => virtualizer.measure(), [narrow, rem, virtualizer]);

  const taskIdAt = useCallback((index: number): string | null => {
    const item = live.current.items[index];
    return item?.kind === 'task' ? item.task.id : null;
  }, []);
  const selection = useSelection(list, taskIdAt);

  const focusRow = useCallback((index: number): void => {
    live.current.virtualizer.scrollToIndex(index, { align: 'auto' });
    // A row that was far away is drawn a frame or two later.
    const reach = (tries: number): void => {
      const there = frame.current?.querySelector<HTMLElement>(`[data-row-link="${index}"],[data-group="${index}"]`);
      if (there) there.focus({ preventScroll: true });
      else if (tries > 0) requestAnimationFrame(() => reach(tries - 1));
    };
    requestAnimationFrame(() => reach(10));
  }, []);

  const onEdit = useCallback(
    (taskId: string | null, index: number): void => {
      const item = live.current.items[index];
      setEditing(taskId === null || item === undefined ? null : item.key);
      if (taskId !== null) return;
      // By its new title it may stand elsewhere.
      requestAnimationFrame(() => {
        const at = live.current.items.findIndex((one) => one.key === item?.key);
        focusRow(at < 0 ? index : at);
      });
    },
    [focusRow],
  );

  function fold(groupId: string): void {
    setFolded((old) => {
      const next = new Set(old);
      if (!next.delete(groupId)) next.add(groupId);
      return next;
    });
  }

  function addTask(): void {
    const column = columns[0];
    if (column === undefined) return;
    const id = newId();
    void act(createTask, { id, projectId: project.id, columnId: column.id, title: say.newTitle });
    handle.clear();
    requestAnimationFrame(() => {
      const index = live.current.items.findIndex((item) => item.kind === 'task' && item.task.id === id);
      if (index < 0) return;
      live.current.virtualizer.scrollToIndex(index, { align: 'center' });
      setEditing(live.current.items[index]?.key ?? null);
    });
  }

  const writing: Action[] = [
    { id: 'add-task', label: words.board.add, group: 'project', keys: 'c', icon: <Plus size={16} />, effect: addTask },
    {
      id: 'select-task',
      label: say.selectOne,
      group: 'task',
      keys: 'x',
      icon: <SquareCheck size={16} />,
      effect: () => {
        if (focusedRow() >= 0) selection.pick(focusedRow(), false);
      },
    },
    {
      id: 'select-all',
      label: say.selectAll,
      group: 'task',
      keys: 'mod+a',
      icon: <CheckCheck size={16} />,
      effect: () =>
        selection.set(
          list.groups.flatMap((group) => group.tasks.map((task) => task.id)),
          true,
        ),
    },
    {
      id: 'edit-title',
      label: say.editFocused,
      group: 'task',
      keys: 'e|f2',
      icon: <Pencil size={16} />,
      effect: () => onEdit(taskIdAt(focusedRow()), focusedRow()),
    },
  ];
  useActions(canWrite ? [...writing, ...rowKeys] : rowKeys.slice(0, 2));

  function onKeyDown(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target.matches('input:not([type="checkbox"]), textarea, select')) return;
    // Popovers hang elsewhere in the page but their keys arrive here all the same.
    if (!event.currentTarget.contains(target)) return;
    const at = focusedRow() >= 0 ? focusedRow() : Number(target.dataset.group ?? -1);
    const step = { ArrowDown: 1, j: 1, J: 1, ArrowUp: -1, k: -1, K: -1 }[event.key];
    if (step === undefined || at < 0 || event.metaKey || event.ctrlKey || event.altKey) return;
    const next = Math.min(Math.max(at + step, 0), items.length - 1);
    event.preventDefault();
    if (event.shiftKey && canWrite) {
      if (selection.ids.size === 0) selection.pick(at, false);
      selection.pick(next, true);
    }
    focusRow(next);
  }

  if (loading) return <ListSkeleton />;
  const nothing = list.total === 0;
  const add = canWrite && (
    <Button look="main" icon={<Plus size={16} />} onClick={addTask}>
      {words.board.add}
    </Button>
  );
  return (
    <div className="list-view">
      <FilterBar projectId={project.id} handle={handle} shown={list.shown} total={list.total}>
        <OptionMenus options={options} />
        {!nothing && add}
      </FilterBar>
      {items.length === 0 ? (
        <EmptyState
          title={nothing ? say.empty : say.noMatch}
          action={nothing ? add : <Button onClick={handle.clear}>{words.board.filters.clear}</Button>}
        >
          <p>{nothing ? (canWrite ? say.emptyWords : say.emptyViewer) : say.noMatchWords}</p>
        </EmptyState>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up here from the links and buttons in the rows
        <div className="list-scroll" ref={frame} onKeyDown={onKeyDown}>
          {/* biome-ignore-start lint/a11y/useSemanticElements: rows come and go while scrolling; a table element could not be laid out so */}
          <div
            role="table"
            aria-label={say.label}
            aria-rowcount={items.length + 1}
            className={`list group-by-${options.grouping}`}
          >
            <div role="rowgroup" className="list-top">
              <ColumnHeads options={options} />
            </div>
            <div role="rowgroup" className="list-body" style={{ height: virtualizer.getTotalSize() }}>
              {virtualizer.getVirtualItems().map(({ index, start, key }) => {
                const item = items[index];
                if (item === undefined) return null;
                if (item.kind === 'head')
                  return (
                    <GroupHead
                      key={key}
                      group={item.group}
                      grouping={options.grouping}
                      index={index}
                      start={start}
                      open={!folded.has(item.group.id)}
                      onFold={() => fold(item.group.id)}
                      canWrite={canWrite}
                      selected={selection.ids}
                      onSelect={selection.set}
                    />
                  );
                return (
                  <Row
                    key={key}
                    task={item.task}
                    column={columnById.get(item.task.column_id)}
                    index={index}
                    start={start}
                    selected={selection.ids.has(item.task.id)}
                    editing={editing === item.key}
                    canWrite={canWrite}
                    onSelect={selection.pick}
                    onEdit={onEdit}
                  />
                );
              })}
            </div>
          </div>
          {/* biome-ignore-end lint/a11y/useSemanticElements: as above */}
        </div>
      )}
      {selection.ids.size > 0 && <BulkBar projectId={project.id} taskIds={selection.list} onClear={selection.clear} />}
    </div>
  );
}

function ListSkeleton() {
  return (
    <Loading label={words.common.loading}>
      <FilterBarSkeleton />
      <div className="list-waiting">
        <div className="row list-head" />
        {[62, 48, 71, 55, 66, 40, 58, 50].map((width) => (
          <div key={width} className="row">
            <Skeleton width="1rem" />
            <Skeleton width="3rem" />
            <Skeleton width={`${width}%`} />
          </div>
        ))}
      </div>
    </Loading>
  );
}
