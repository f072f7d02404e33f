// One task in the list: a box to select it by, and a cell for each column.

import type { CSSProperties } from 'react';
import { memo } from 'react';
import type { Property as PropertyName } from '../../../contract/views.ts';
import { valuesOf } from '../../properties/values.ts';
import { type ColumnRow, cardFactsOf, type TaskRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { CellField } from './cell-field.tsx';
import { cellClass } from './cells.tsx';
import type { TableColumn } from './columns.ts';
import type { OnEdit } from './edited-title.ts';
import styles from './list.module.css';
import tableStyles from './table.module.css';
import { CellFace } from './table-cell.tsx';
import type { Cells, Editing } from './use-cells.ts';

export interface RowProps {
  readonly task: TaskRow;
  readonly column: ColumnRow | undefined;
  readonly columns: readonly TableColumn[];
  /** The places of those that are drawn. */
  readonly drawn: readonly number[];
  /** Somebody chose the columns. */
  readonly chosen: boolean;
  /** Columns that show the value of their kind. */
  readonly valued: readonly PropertyName[];
  readonly index: number;
  /** Under so many others; null: the list is no outline. */
  readonly depth: number | null;
  readonly start: number;
  readonly selected: boolean;
  readonly editing: boolean;
  readonly canWrite: boolean;
  /** Which of its cells are marked: first, last, and the one with the cursor. */
  readonly marks: string;
  readonly editingCell: Editing | null;
  readonly onFinish: Cells['finish'];
  /** Null: none is selected here. */
  readonly onSelect: ((index: number, range: boolean) => void) | null;
  readonly onEdit: OnEdit;
}

export const Row = memo(function Row({
  task,
  column,
  columns,
  drawn,
  chosen,
  valued,
  index,
  depth,
  start,
  selected,
  editing,
  canWrite,
  marks,
  editingCell,
  onFinish,
  onSelect,
  onEdit,
}: RowProps) {
  const facts = useQuery(cardFactsOf, task.id);
  const values = useQuery(valuesOf, task.id, valued);
  if (facts === null) return null;
  const [first = -1, last = -1, cursor = -1] = marks === '' ? [] : marks.split(' ').map(Number);
  const isTyped = (of: TableColumn): boolean => editingCell?.column === of.id && !of.property.picked;
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows come and go while scrolling; a table element could not be laid out so
    <div
      role="row"
      tabIndex={-1}
      className={`${shapes.swiped} ${styles.row} ${chosen ? tableStyles.row : ''} ${selected ? styles.rowSelected : ''} ${task.completed_at ? styles.rowDone : ''}`}
      style={{ '--start': `${start}px`, '--depth': depth ?? 0 } as CSSProperties}
      aria-rowindex={index + 2}
      aria-level={depth === null ? undefined : depth + 1}
      aria-selected={canWrite && onSelect ? selected : undefined}
      data-row={index}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its box is */}
      <div
        role="gridcell"
        aria-colindex={1}
        className={`${styles.cell} ${chosen ? tableStyles.check : styles.cellCheck}`}
      >
        {canWrite && onSelect && (
          <input
            type="checkbox"
            aria-label={t('list.select', { key: facts.key })}
            checked={selected}
            onChange={(event) => onSelect(index, (event.nativeEvent as MouseEvent).shiftKey)}
          />
        )}
      </div>
      {drawn.map((at) => {
        const of = columns[at];
        return (
          of && (
            // biome-ignore lint/a11y/useSemanticElements: as above
            <div
              key={of.id}
              role="gridcell"
              tabIndex={-1}
              aria-colindex={at + 2}
              data-col={of.id}
              aria-selected={(at >= first && at <= last) || undefined}
              data-marked={(at >= first && at <= last) || undefined}
              data-cursor={at === cursor || undefined}
              data-editing={isTyped(of) || undefined}
              className={cellClass(of, chosen)}
              style={chosen ? { gridColumn: at + 2 } : undefined}
            >
              {editingCell && isTyped(of) ? (
                <CellField task={task} of={of} taskKey={facts.key} start={editingCell.start} onFinish={onFinish} />
              ) : (
                <ErrorBoundary of={task} instead={t('common.failed.part')}>
                  <CellFace
                    {...{ of, task, facts, column, index, canWrite, onEdit }}
                    value={values[of.id]}
                    editingTitle={editing}
                  />
                </ErrorBoundary>
              )}
            </div>
          )
        );
      })}
    </div>
  );
});
