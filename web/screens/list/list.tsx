// The list: the project's tasks in rows, grouped and sorted, changed in place or many at once. Only rows near the screen are drawn.

import { Plus } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { createTask, newId, useAct } from '../../commands.ts';
import {
  columnsOf,
  groupedListOf,
  lackingIn,
  mayWrite,
  roleIn,
  useFieldColumns,
  useQuery,
  useUserId,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { useArrowStart } from '../../ui/lists/use-arrow-start.ts';
import { EmptyState, Loading, Skeleton } from '../../ui/state.tsx';
import { useLatest } from '../../ui/use-latest.ts';
import { FilterBar, FilterBarSkeleton } from '../project/filter-bar.tsx';
import { useView } from '../project/view-handle.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import { useSelectedForKeys } from '../task/key-target.ts';
import { BulkBar } from './bulk-bar.tsx';
import { useTable } from './columns.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { isOutline, OptionMenus } from './heads.tsx';
import styles from './list.module.css';
import { ListRows } from './list-rows.tsx';
import { useListKeys } from './use-list-keys.tsx';
import { useListRows } from './use-list-rows.ts';
import { useSelection } from './use-selection.ts';

export default function List({ project, loading }: ProjectViewProps) {
  const userId = useUserId();
  const act = useAct();
  const handle = useView('list');
  const { grouping, sort } = handle.view;
  const list = useQuery(groupedListOf, project.id, handle.filter, grouping, sort);
  const columns = useQuery(columnsOf, project.id);
  const lacking = useQuery(lackingIn, project.id, handle.filter);
  const canWrite = mayWrite(useQuery(roleIn, project.id, userId)) && project.archived_at === null;
  const [editing, setEditing] = useState<string | null>(null);
  const table = useTable(project.id, handle, lacking);
  useFieldColumns(project.id, table.fieldIds);
  const outline = isOutline(handle.view) ? (sort.length === 0 ? 'own' : 'sorted') : null;
  const rows = useListRows(list, table.chosen, outline);
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
  useArrowStart(rows.frame);
  const onKeyDown = useListKeys({ list, rows, selection, canWrite, outline: outline !== null, onAdd: addTask, onEdit });

  const nothing = list.total === 0;
  const latestAdd = useLatest(addTask);
  const add = useMemo(
    () =>
      canWrite && (
        <Button look="main" icon={<Plus size={16} />} onClick={() => latestAdd.current()}>
          {t('board.add')}
        </Button>
      ),
    [canWrite, latestAdd],
  );
  // Made once: every step of scrolling comes through here.
  const bar = useMemo(
    () => (
      <FilterBar projectId={project.id} handle={handle} shown={list.shown} total={list.total}>
        <OptionMenus projectId={project.id} handle={handle} />
        <ColumnsMenu table={table} />
        {!nothing && add}
      </FilterBar>
    ),
    [project.id, handle, list.shown, list.total, table, nothing, add],
  );
  if (loading || handle.state === 'waiting') return <ListSkeleton />;
  return (
    <div className={styles.listView}>
      {bar}
      {items.length === 0 ? (
        <EmptyState
          title={nothing ? t('list.empty') : t('list.noMatch')}
          action={nothing ? add : <Button onClick={handle.clear}>{t('board.filters.clear')}</Button>}
        >
          <p>{nothing ? (canWrite ? t('list.emptyWords') : t('list.emptyViewer')) : t('list.noMatchWords')}</p>
        </EmptyState>
      ) : (
        <ListRows
          list={list}
          rows={rows}
          handle={handle}
          table={table}
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
