// A cell of the list; and a value that is a button which changes it, for those who may.

import type { ComponentType, ReactNode } from 'react';
import type { TaskRow } from '../../queries.ts';
import type { TaskPickerProps } from '../task/pickers.tsx';
import type { TableColumn } from './columns.ts';
import styles from './list.module.css';
import tableStyles from './table.module.css';

/** What a column is called in the sheet, where the list is as wide as there is room. */
const places = new Map<TableColumn['of'], 'key' | 'priority' | 'title' | 'labels' | 'column' | 'people' | 'due'>([
  ['number', 'key'],
  ['priority', 'priority'],
  ['title', 'title'],
  ['label', 'labels'],
  ['column', 'column'],
  ['assignee', 'people'],
  ['due_date', 'due'],
]);

/** The class of a cell of this column. `chosen`: somebody chose the columns. */
export function cellClass({ of, numeric }: TableColumn, chosen: boolean): string {
  const place = places.get(of);
  if (!chosen) return `${styles.cell} ${place ? styles[`cell-${place}`] : ''}`;
  const key = of === 'number' ? tableStyles.key : '';
  const title = of === 'title' ? tableStyles.title : '';
  return `${styles.cell} ${tableStyles.cell} ${key} ${title} ${numeric ? tableStyles.numeric : ''}`;
}

interface ValueButtonProps {
  readonly task: TaskRow;
  readonly canWrite: boolean;
  readonly picker: ComponentType<TaskPickerProps>;
  /** What the picker is called, and what its button says. */
  readonly label: string;
  readonly spoken: string;
  /** Several things side by side. */
  readonly many?: boolean;
  /** Shown in the button where there is nothing yet. */
  readonly ghost?: ReactNode;
  /** Null where there is nothing. */
  readonly value: ReactNode;
}

export function ValueButton({
  task,
  canWrite,
  picker: Picker,
  label,
  spoken,
  many = false,
  ghost,
  value,
}: ValueButtonProps) {
  if (!canWrite) return many ? <span className={styles.cellMany}>{value}</span> : value;
  return (
    <Picker
      projectId={task.project_id}
      taskIds={[task.id]}
      label={label}
      trigger={
        <button type="button" className={`${styles.cellButton} ${many ? styles.cellMany : ''}`} aria-label={spoken}>
          {value ?? ghost}
        </button>
      }
    />
  );
}
