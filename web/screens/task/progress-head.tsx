// The head of a part of a task that is done step by step: its name, and how far it is.

import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './checklist.module.css';
import taskPartStyles from './task-part.module.css';

interface ProgressHeadProps {
  readonly title: string;
  readonly done: number;
  readonly all: number;
  /** Of the bar. */
  readonly label: string;
}

export function ProgressHead({ title, done, all, label }: ProgressHeadProps) {
  return (
    <div className={taskPartStyles.partHead}>
      <h3>{title}</h3>
      {all > 0 && (
        <>
          <progress
            className={`${shapes.ownColours} ${shapes.sunken} ${shapes.clipped} ${styles.checkProgress}`}
            max={all}
            value={done}
            aria-label={label}
          />
          <span className={`${shapes.quiet} numbers`}>{t('task.done', { done, all })}</span>
        </>
      )}
    </div>
  );
}
