// The rows of a list and what is done with them: tasks of one project or of several, changed in place or many at once.

import { Plus } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import {
  type ColumnRow,
  everyColumn,
  type GroupedList,
  type TaskRow,
  useFieldColumns,
  useQuery,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/list-states.tsx';
import { useArrowStart } from '../../ui/lists/use-arrow-start.ts';
import { QuickAdd } from '../board/quick-add.tsx';
import type { ViewHandle } from '../project/view-handle.ts';
import { BulkBar } from './bulk-bar.tsx';
import type { Table } from './columns.ts';
import { useEditedLine } from './edited-title.ts';
import styles from './list.module.css';
import type { EditedTitle } from './list-item.ts';
import { ListRows } from './list-rows.tsx';
import { isOutline } from './outline-shown.ts';
import { useAddingAbove } from './use-adding-above.ts';
import { useListKeys } from './use-list-keys.tsx';
import { useListRows } from './use-list-rows.ts';
import { useSelection } from './use-selection.ts';

export interface TaskListProps {
  /** Empty: of several projects. */
  readonly projectId: string;
  readonly handle: ViewHandle;
  readonly list: GroupedList;
  readonly table: Table;
  readonly emptyColumns: string;
  readonly canWrite: boolean;
  readonly mayChange: (task: TaskRow) => boolean;
  /** Where a new task begins; null: none begins here. */
  readonly home: ColumnRow | null;
  /** What stands over the rows, and what instead of them where there is no task at all; what they are given begins one. */
  readonly over?: (add: ReactNode) => ReactNode;
  readonly empty?: (add: ReactNode) => ReactNode;
}

export function TaskList(props: TaskListProps) {
  const { projectId, handle, list, table, emptyColumns, canWrite, mayChange, empty, home, over } = props;
  const { sort } = handle.view;
  const columns = useQuery(everyColumn);
  const [edited, setEdited] = useState<EditedTitle | null>(null);
  useFieldColumns(projectId, table.fieldIds);
  const outline = projectId !== '' && isOutline(handle.view.shown) ? (sort.length === 0 ? 'own' : 'sorted') : null;
  const rows = useListRows(list, table.chosen, outline, edited);
  const { items, live, focusRow } = rows;
  const columnById = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const selection = useSelection(list, rows);

  const { editing, onEdit } = useEditedLine(edited, setEdited, rows);
  const { adding, begin, ...added } = useAddingAbove(rows, list.shown);
  useArrowStart(rows.frame);
  const onKeyDown = useListKeys({
    ...{ list, rows, selection, canWrite, onEdit },
    outline: outline !== null && home !== null,
    selects: projectId !== '',
    onAdd: home && begin,
  });
  const canAdd = home !== null;
  const button = useMemo(
    () =>
      canAdd && (
        <Button look="main" icon={<Plus size={16} />} onClick={begin} data-add-task>
          {t('board.add')}
        </Button>
      ),
    [canAdd, begin],
  );
  // Made once: every step of scrolling comes through here.
  const bar = useMemo(() => over?.(button), [over, button]);
  return (
    <div className={`${shapes.column} ${shapes.holder} ${shapes.short} ${styles.listView}`}>
      {bar}
      {adding && home && (
        <div className={`${shapes.full} ${styles.adding}`}>
          <QuickAdd column={home} place="end" {...added} />
        </div>
      )}
      {items.length === 0 ? (
        list.total === 0 && empty ? (
          empty(button)
        ) : (
          <EmptyState
            title={t('list.noMatch')}
            action={handle.active && <Button onClick={handle.clear}>{t('board.filters.clear')}</Button>}
          >
            <p>{t('list.noMatchWords')}</p>
          </EmptyState>
        )
      ) : (
        <ListRows
          {...{
            list,
            rows,
            handle,
            table,
            emptyColumns,
            columnById,
            selection,
            editing,
            canWrite,
            mayChange,
            onEdit,
            onKeyDown,
          }}
          selects={projectId !== ''}
        />
      )}
      {selection.ids.size > 0 && (
        <BulkBar
          projectId={projectId}
          taskIds={selection.list}
          onClear={selection.clear}
          onLeft={(taskId) => {
            const at = live.current.items.findIndex((item) => item.kind === 'task' && item.task.id === taskId);
            if (at >= 0) focusRow(at);
          }}
        />
      )}
    </div>
  );
}
