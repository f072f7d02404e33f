// Plan of a task: start, due day and estimate.

import { useId } from 'react';
import { editTasks, useAct } from '../../commands.ts';
import { DayPicker } from '../../pieces/day-picker.tsx';
import { sayDay } from '../../queries/days/days.ts';
import type { TaskRow } from '../../queries.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import { estimateRange, readNumberIn, writeNumber } from '../../strings/numbers.ts';
import { useSavedField } from '../../ui/fields/draft.ts';
import styles from './properties.module.css';

const none = () => <span className={styles.propNone}>{t('common.none')}</span>;

interface Props {
  readonly task: TaskRow;
  readonly canWrite: boolean;
}

export function Day({ task, column, canWrite }: Props & { readonly column: 'start_date' | 'due_date' }) {
  const act = useAct();
  const day = task[column];
  const face = day === null ? none() : <span className="numbers">{sayDay(day)}</span>;
  if (!canWrite) return <span className={styles.propValue}>{face}</span>;
  const label = column === 'start_date' ? t('property.start_date') : t('property.due_date');
  return (
    <DayPicker
      label={label}
      chosen={day}
      none={t('days.none')}
      onPick={(picked) => {
        const start = column === 'start_date' ? picked : task.start_date;
        const due = column === 'due_date' ? picked : task.due_date;
        if (start !== null && due !== null && due < start) return t('task.datesWrong');
        void act(editTasks, [task.id], { [column]: picked });
        return null;
      }}
      trigger={
        <button
          type="button"
          className={`${styles.propValue} ${styles.propButton}`}
          aria-label={t('common.pair', { name: label, value: day === null ? t('common.none') : sayDay(day) })}
        >
          {face}
        </button>
      }
    />
  );
}

export function Estimate({ task, canWrite }: Props) {
  const act = useAct();
  const id = useId();
  const { field, fault } = useSavedField(task.estimate === null ? '' : writeNumber(task.estimate), (typed) => {
    const estimate = readNumberIn(estimateRange, typed);
    if (estimate === null && typed !== '') return t('task.estimateWrong');
    void act(editTasks, [task.id], { estimate });
    return null;
  });
  if (!canWrite)
    return (
      <span className={`${styles.propValue} numbers`}>
        {task.estimate === null ? none() : sayNumber(task.estimate)}
      </span>
    );
  return (
    <>
      <input
        className={`${styles.propInput} numbers`}
        inputMode="decimal"
        aria-label={t('property.estimate')}
        aria-describedby={id}
        aria-invalid={fault !== null || undefined}
        title={t('task.estimateHint')}
        placeholder="–"
        {...field}
      />
      <span id={id} className={fault ? styles.propWrong : 'only-spoken'} role={fault ? 'alert' : undefined}>
        {fault ?? t('task.estimateHint')}
      </span>
    </>
  );
}
