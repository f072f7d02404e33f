// The rows of the list as a grid: heads, groups, tasks and, where columns were chosen, a foot. Only rows near the screen are drawn.

import { type CSSProperties, type KeyboardEvent, useMemo, useState } from 'react';
import type { ColumnRow, GroupedList, TaskRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import type { ViewHandle } from '../project/view-handle.ts';
import { SwipeTasks } from '../task/swipe-tasks.tsx';
import { CellPicker } from './cell-field.tsx';
import { ColumnHeads } from './column-heads.tsx';
import { isTitle, type Table } from './columns.ts';
import type { OnEdit } from './edited-title.ts';
import { GroupHead } from './group-head.tsx';
import styles from './list.module.css';
import { isOutline } from './outline-shown.ts';
import { PasteFaults } from './paste-faults.tsx';
import { Row } from './row.tsx';
import { useSums } from './sums.ts';
import tableStyles from './table.module.css';
import { ownCells } from './table-cell.tsx';
import { TableFoot } from './table-foot.tsx';
import { useCells } from './use-cells.ts';
import type { ListRowsState } from './use-list-rows.ts';
import type { Selection } from './use-selection.ts';
import { useVisibleColumns } from './visible-columns.ts';
import type { CellFault } from './write-cells.ts';

export interface ListRowsProps {
  readonly list: GroupedList;
  readonly rows: ListRowsState;
  readonly handle: ViewHandle;
  readonly table: Table;
  readonly emptyColumns: string;
  readonly columnById: ReadonlyMap<string, ColumnRow>;
  readonly selection: Selection;
  readonly editing: string | null;
  readonly canWrite: boolean;
  /** Of several projects some may only be looked at. */
  readonly mayChange: (task: TaskRow) => boolean;
  /** Several can be selected, and changed together. */
  readonly selects: boolean;
  readonly onEdit: OnEdit;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

const nothing: ReadonlyMap<string, string> = new Map();

export function ListRows(props: ListRowsProps) {
  const { list, rows, handle, table, emptyColumns, columnById, selection, editing, canWrite, mayChange, selects } =
    props;
  const { items, virtualizer } = rows;
  const { columns, chosen } = table;
  const valued = useMemo(() => columns.flatMap(({ id }) => (id in ownCells ? [] : [id])), [columns]);
  const [faults, setFaults] = useState<{ some: readonly CellFault[]; missing: number }>({ some: [], missing: 0 });
  const onFaults = (some: readonly CellFault[], missing: number): void => setFaults({ some, missing });
  const cells = useCells({ rows, columns, canWrite, mayChange, onFaults });
  const drawn = useVisibleColumns(rows.frame, table, cells.cursorColumn);
  const sums = useSums(list, columns);
  const outline = selects && isOutline(handle.view.shown);
  function onKeyDown(event: KeyboardEvent): void {
    if (cells.press(event)) return;
    const target = event.target as HTMLElement;
    if (event.key === 'ArrowRight' && target.matches('[data-row-link]') && !event.altKey && !event.metaKey) {
      if (cells.enter(rows.focusedRow())) event.preventDefault();
      return;
    }
    props.onKeyDown(event);
  }
  return (
    <>
      {faults.some.length + faults.missing > 0 && (
        <PasteFaults
          faults={faults.some}
          missing={faults.missing}
          onGo={({ taskId, column }) => {
            const row = items.findIndex((item) => item.kind === 'task' && item.task.id === taskId);
            cells.enter(row, column);
          }}
          onClose={() => setFaults({ some: [], missing: 0 })}
        />
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys and presses bubble up here from what is in the rows */}
      <div
        className={`${shapes.scroll} ${styles.listScroll} ${chosen ? tableStyles.scroll : ''}`}
        ref={rows.frame}
        style={chosen ? templateOf(table) : undefined}
        onKeyDown={onKeyDown}
        {...cells.handlers}
      >
        {/* biome-ignore-start lint/a11y/useSemanticElements: rows come and go while scrolling; a table element could not be laid out so */}
        <div
          {...{
            role: outline ? 'treegrid' : 'grid',
            'aria-label': t('common.taskList'),
            'aria-rowcount': items.length + (chosen ? 2 : 1),
            'aria-colcount': columns.length + 1,
            'aria-multiselectable': selects,
          }}
          className={`${styles.list} ${chosen ? tableStyles.table : ''}`}
          data-empty-columns={chosen ? undefined : emptyColumns}
          data-grouped={chosen ? undefined : (handle.view.grouping ?? 'none')}
        >
          <div role="rowgroup" className={chosen ? tableStyles.top : styles.listTop}>
            <ColumnHeads sort={handle.view.sort} onSort={handle.set} table={table} frame={rows.frame} />
          </div>
          <div
            role="rowgroup"
            className={`${shapes.holder} ${chosen ? tableStyles.body : styles.listBody}`}
            style={{ height: virtualizer.getTotalSize() }}
          >
            {virtualizer.getVirtualItems().map(({ index, start, key }) => {
              const item = items[index];
              if (item === undefined) return null;
              if (item.kind === 'head')
                return (
                  <GroupHead
                    key={key}
                    group={item.group}
                    grouping={handle.view.grouping}
                    index={index}
                    start={start}
                    open={!rows.folded.has(item.group.id)}
                    onFold={rows.fold}
                    canWrite={canWrite}
                    selected={selection.ids}
                    onSelect={selects ? selection.set : null}
                    columns={columns}
                    chosen={chosen}
                    sums={sums.groups.get(item.group.id) ?? nothing}
                  />
                );
              return (
                <Row
                  key={key}
                  task={item.task}
                  column={columnById.get(item.task.column_id)}
                  columns={columns}
                  drawn={drawn}
                  chosen={chosen}
                  valued={valued}
                  index={index}
                  depth={outline ? item.depth : null}
                  start={start}
                  selected={selection.ids.has(item.task.id)}
                  editing={editing === item.key && mayChange(item.task)}
                  canWrite={canWrite && mayChange(item.task)}
                  marks={cells.marksOf(index, item.key)}
                  editingCell={cells.editing?.key === item.key ? cells.editing : null}
                  onFinish={cells.finish}
                  onSelect={selects ? selection.pick : null}
                  onEdit={props.onEdit}
                />
              );
            })}
          </div>
          {chosen && <TableFoot table={table} sums={sums.all} rowIndex={items.length + 2} />}
        </div>
        {/* biome-ignore-end lint/a11y/useSemanticElements: as above */}
        <OpenPicker {...{ rows, table, cells }} />
        {/* Where columns were chosen a finger draws them aside. */}
        {!chosen && <SwipeTasks room={rows.frame} rows="[data-row]" />}
      </div>
    </>
  );
}

/** The picker of the cell that is being edited, where it is one to choose for. */
function OpenPicker({
  rows,
  table,
  cells,
}: Pick<ListRowsProps, 'rows' | 'table'> & { cells: ReturnType<typeof useCells> }) {
  const { editing } = cells;
  const index = rows.items.findIndex((item) => item.key === editing?.key);
  const item = rows.items[index];
  const column = table.columns.find(({ id }) => id === editing?.column);
  if (item?.kind !== 'task' || column === undefined || !column.property.picked) return null;
  const there = rows.frame.current?.querySelector<HTMLElement>(`[data-row="${index}"] [data-col="${column.id}"]`);
  return there ? (
    <CellPicker key={`${item.key} ${column.id}`} task={item.task} of={column} there={there} onClosed={cells.stop} />
  ) : null;
}

/** Each as wide as it was made; what stays while the rest scrolls has its place from the left. */
function templateOf({ columns }: Table): CSSProperties {
  const rem = (pixels: number): string => `${pixels / 16}rem`;
  const title = columns.find(isTitle)?.width ?? 0;
  return {
    '--columns': columns.map((column) => (isTitle(column) ? `var(--title-width)` : rem(column.width))).join(' '),
    '--title-width': `min(${rem(title)}, var(--widest-title))`,
    '--others': rem(columns.reduce((sum, column) => sum + (isTitle(column) ? 0 : column.width), 0)),
  } as CSSProperties;
}
