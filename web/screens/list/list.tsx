// The list of a project: its tasks in rows, grouped and sorted, changed in place or many at once.

import { useCallback } from 'react';
import { columnsOf, emptyColumnsOf, groupedListOf, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { EmptyState, Loading, Skeleton } from '../../ui/list-states.tsx';
import { DisplayButton } from '../project/display/display-button.tsx';
import { FilterBar, FilterBarSkeleton } from '../project/filter-bar.tsx';
import { useProjectRights } from '../project/use-project-rights.ts';
import { useView } from '../project/view-handle.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import { useTable } from './columns.ts';
import styles from './list.module.css';
import { TaskList, type TaskListProps } from './task-list.tsx';

const none = [] as const;

export default function ProjectList({ project, loading }: ProjectViewProps) {
  const handle = useView('list');
  const { grouping, sort } = handle.view;
  const list = useQuery(groupedListOf, project.id, handle.filter, grouping, sort);
  const columns = useQuery(columnsOf, project.id);
  // Columns that somebody chose are there whatever tasks lack.
  const emptyColumns = useQuery(
    emptyColumnsOf,
    Array.isArray(handle.view.shown.columns) ? none : project.id,
    handle.filter,
  );
  const { writes, edits, mayEdit } = useProjectRights(project);
  const table = useTable(project.id, handle, emptyColumns);
  const { shown, total } = list;
  const over = useCallback<NonNullable<TaskListProps['over']>>(
    (add) => (
      <FilterBar projectId={project.id} handle={handle} shown={shown} total={total}>
        <DisplayButton projectId={project.id} handle={handle} table={table} />
        {total > 0 && add}
      </FilterBar>
    ),
    [project.id, handle, shown, total, table],
  );
  if (loading || handle.state === 'waiting') return <ListSkeleton />;
  return (
    <TaskList
      projectId={project.id}
      {...{ handle, list, table, emptyColumns, over }}
      canWrite={edits}
      mayChange={mayEdit}
      home={writes ? (columns[0] ?? null) : null}
      empty={(add) => (
        <EmptyState title={t('common.noTasks')} action={add}>
          <p>{writes ? t('list.emptyWords') : t('list.emptyViewer')}</p>
        </EmptyState>
      )}
    />
  );
}

function ListSkeleton() {
  return (
    <Loading whole label={t('common.loading')}>
      <FilterBarSkeleton />
      <div className={styles.listWaiting}>
        <div className={`${styles.row} ${shapes.quietS} ${shapes.surface} ${styles.listHead}`} />
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
