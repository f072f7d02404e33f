// A cell of the list; and a value that is a button which changes it, for those who may.

import type { ReactNode } from 'react';
import type { TaskRow } from '../../queries.ts';
import { capital } from '../../ui/capital.ts';
import { type Picked, TaskPicker } from '../task/pickers.tsx';
import { isTitle, type TableColumn } from './columns.ts';
import styles from './list.module.css';
import tableStyles from './table.module.css';

/** The class of a cell of this column. `chosen`: somebody chose the columns. */
export function cellClass(column: TableColumn, chosen: boolean): string {
  const { table } = column.property;
  if (!chosen) return `${styles.cell} ${table?.usual ? styles[`cell${capital(table.usual)}`] : ''}`;
  const key = table?.usual === 'key' ? tableStyles.key : '';
  const title = isTitle(column) ? tableStyles.title : '';
  return `${styles.cell} ${tableStyles.cell} ${key} ${title} ${numericClass(column)}`;
}

export const numericClass = ({ property }: TableColumn): string => (property.adds ? (tableStyles.numeric ?? '') : '');

interface ValueButtonProps {
  readonly task: TaskRow;
  readonly canWrite: boolean;
  readonly of: Picked;
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

export function ValueButton({ task, canWrite, of, label, spoken, many = false, ghost, value }: ValueButtonProps) {
  if (!canWrite) return many ? <span className={styles.cellMany}>{value}</span> : value;
  return (
    <TaskPicker
      of={of}
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
