// The list: the project's tasks in rows, grouped and sorted, changed in place or many at once. Only rows near the screen are drawn.

import { Plus } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useCallback, useMemo, useState } from 'react';
import { createTask, newId, useAct } from '../../commands.ts';
import {
  type ColumnRow,
  columnsOf,
  groupedListOf,
  lackingIn,
  mayWrite,
  roleIn,
  useQuery,
  useUserId,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Loading, Skeleton } from '../../ui/state.tsx';
import { FilterBar, FilterBarSkeleton } from '../project/filter-bar.tsx';
import { useTaskFilter } from '../project/task-filter.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import { useSelectedForKeys } from '../task/key-target.ts';
import { BulkBar } from './bulk-bar.tsx';
import { GroupHead } from './group-head.tsx';
import { ColumnHeads, OptionMenus } from './heads.tsx';
import styles from './list.module.css';
import { type ListOptions, useListOptions } from './list-options.ts';
import { Row } from './row.tsx';
import { useListKeys } from './use-list-keys.tsx';
import { type ListRowsState, useListRows } from './use-list-rows.ts';
import { type Selection, useSelection } from './use-selection.ts';

export default function List({ project, loading }: ProjectViewProps) {
  const userId = useUserId();
  const act = useAct();
  const handle = useTaskFilter();
  const options = useListOptions();
  const list = useQuery(groupedListOf, project.id, handle.filter, options.grouping, options.sorting, options.backwards);
  const columns = useQuery(columnsOf, project.id);
  const lacking = useQuery(lackingIn, project.id, handle.filter);
  const canWrite = mayWrite(useQuery(roleIn, project.id, userId)) && project.archived_at === null;
  const [editing, setEditing] = useState<string | null>(null);
  const rows = useListRows(list);
  const { items, live, taskIdAt, focusRow } = rows;
  const columnById = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const selection = useSelection(list, taskIdAt);

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
    [focusRow, live],
  );

  function addTask(): void {
    const column = columns[0];
    if (column === undefined) return;
    const id = newId();
    void act(createTask, { id, projectId: project.id, columnId: column.id, title: t('list.newTitle') });
    handle.clear();
    requestAnimationFrame(() => {
      const index = live.current.items.findIndex((item) => item.kind === 'task' && item.task.id === id);
      if (index < 0) return;
      live.current.virtualizer.scrollToIndex(index, { align: 'center' });
      setEditing(live.current.items[index]?.key ?? null);
    });
  }

  useSelectedForKeys(selection.list);
  const onKeyDown = useListKeys({ list, rows, selection, canWrite, onAdd: addTask, onEdit });

  if (loading) return <ListSkeleton />;
  const nothing = list.total === 0;
  const add = canWrite && (
    <Button look="main" icon={<Plus size={16} />} onClick={addTask}>
      {t('board.add')}
    </Button>
  );
  return (
    <div className={styles.listView}>
      <FilterBar projectId={project.id} handle={handle} shown={list.shown} total={list.total}>
        <OptionMenus options={options} />
        {!nothing && add}
      </FilterBar>
      {items.length === 0 ? (
        <EmptyState
          title={nothing ? t('list.empty') : t('list.noMatch')}
          action={nothing ? add : <Button onClick={handle.clear}>{t('board.filters.clear')}</Button>}
        >
          <p>{nothing ? (canWrite ? t('list.emptyWords') : t('list.emptyViewer')) : t('list.noMatchWords')}</p>
        </EmptyState>
      ) : (
        <ListRows
          rows={rows}
          options={options}
          lacking={lacking}
          columnById={columnById}
          selection={selection}
          editing={editing}
          canWrite={canWrite}
          onEdit={onEdit}
          onKeyDown={onKeyDown}
        />
      )}
      {selection.ids.size > 0 && <BulkBar projectId={project.id} taskIds={selection.list} onClear={selection.clear} />}
    </div>
  );
}

interface ListRowsProps {
  readonly rows: ListRowsState;
  readonly options: ListOptions;
  readonly lacking: string;
  readonly columnById: ReadonlyMap<string, ColumnRow>;
  readonly selection: Selection;
  readonly editing: string | null;
  readonly canWrite: boolean;
  readonly onEdit: (taskId: string | null, index: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function ListRows({
  rows,
  options,
  lacking,
  columnById,
  selection,
  editing,
  canWrite,
  onEdit,
  onKeyDown,
}: ListRowsProps) {
  const { items, virtualizer } = rows;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up here from the links and buttons in the rows
    <div className={styles.listScroll} ref={rows.frame} onKeyDown={onKeyDown}>
      {/* biome-ignore-start lint/a11y/useSemanticElements: rows come and go while scrolling; a table element could not be laid out so */}
      <div
        role="table"
        aria-label={t('list.label')}
        aria-rowcount={items.length + 1}
        className={styles.list}
        data-lacks={lacking}
        data-grouped={options.grouping}
      >
        <div role="rowgroup" className={styles.listTop}>
          <ColumnHeads options={options} />
        </div>
        <div role="rowgroup" className={styles.listBody} style={{ height: virtualizer.getTotalSize() }}>
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
                  open={!rows.folded.has(item.group.id)}
                  onFold={() => rows.fold(item.group.id)}
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
  );
}

function ListSkeleton() {
  return (
    <Loading label={t('common.loading')}>
      <FilterBarSkeleton />
      <div className={styles.listWaiting}>
        <div className={`${styles.row} ${styles.listHead}`} />
        {[62, 48, 71, 55, 66, 40, 58, 50].map((width) => (
          <div key={width} className={styles.row}>
            <Skeleton width="1rem" />
            <Skeleton width="3rem" />
            <Skeleton width={`${width}%`} />
          </div>
        ))}
      </div>
    </Loading>
  );
}
