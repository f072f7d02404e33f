// A cell of the list; and one whose value is a button that changes it, for those who may.

import type { ComponentType, ReactNode } from 'react';
import type { TaskRow } from '../../queries.ts';
import type { TaskPickerProps } from '../task/pickers.tsx';
import styles from './list.module.css';

export type CellName = 'check' | 'key' | 'priority' | 'title' | 'labels' | 'column' | 'people' | 'due';

export function Cell({ name, many = false, children }: { name: CellName; many?: boolean; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows come and go while scrolling; a table element could not be laid out so
    <div role="cell" className={`${styles.cell} ${styles[`cell-${name}`]} ${many ? styles.cellMany : ''}`}>
      {children}
    </div>
  );
}

interface ValueCellProps {
  readonly name: CellName;
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

export function ValueCell({
  name,
  task,
  canWrite,
  picker: Picker,
  label,
  spoken,
  many = false,
  ghost,
  value,
}: ValueCellProps) {
  if (!canWrite)
    return (
      <Cell name={name} many={many}>
        {value}
      </Cell>
    );
  return (
    <Cell name={name}>
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
    </Cell>
  );
}
