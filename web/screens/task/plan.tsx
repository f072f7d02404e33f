// When a task begins and is due, and how much work it is.

import { useEffect, useId, useRef, useState } from 'react';
import { editTasks, useAct } from '../../commands.ts';
import { sayDay } from '../../queries/days.ts';
import type { TaskRow } from '../../queries.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import { useSavedField, useSaveOnLeaving } from '../../ui/draft.ts';
import styles from './properties.module.css';

const none = () => <span className={styles.propNone}>{t('common.none')}</span>;

interface Props {
  readonly task: TaskRow;
  readonly canWrite: boolean;
}

export function Day({ task, column, canWrite }: Props & { readonly column: 'start_date' | 'due_date' }) {
  if (canWrite) return <DayField task={task} column={column} />;
  return <span className={styles.propValue}>{task[column] === null ? none() : sayDay(task[column])}</span>;
}

/** What is picked from the calendar counts at once, what is typed when it is finished: on the way it passes through other days. */
function DayField({ task, column }: { task: TaskRow; column: 'start_date' | 'due_date' }) {
  const act = useAct();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const isTyping = useRef(false);
  const stored = task[column] ?? '';
  const [shown, setShown] = useState(stored);
  const [wrong, setWrong] = useState(false);
  // The field keeps what is typed to itself: half a day has no value that could be put into it.
  useEffect(() => {
    if (!isTyping.current) show(field.current, stored);
    setShown(stored);
  }, [stored]);

  function reset(): void {
    isTyping.current = false;
    show(field.current, stored);
    setShown(stored);
    setWrong(false);
  }

  function save(): void {
    isTyping.current = false;
    // Who types 30 means 2030.
    const day = field.current?.value.replace(/^00/, '20') ?? '';
    if (field.current?.validity.badInput || (day !== '' && day < '1900')) {
      reset();
      return;
    }
    show(field.current, day);
    const start = column === 'start_date' ? day || null : task.start_date;
    const due = column === 'due_date' ? day || null : task.due_date;
    const isWrong = start !== null && due !== null && due < start;
    setShown(day);
    setWrong(isWrong);
    if (!isWrong && day !== stored) void act(editTasks, [task.id], { [column]: day || null });
  }
  useSaveOnLeaving(save);

  return (
    <>
      <span className={styles.propDate} data-day={shown === '' ? '–' : sayDay(shown)}>
        <input
          ref={field}
          type="date"
          className={`${styles.propInput} numbers`}
          aria-label={column === 'start_date' ? t('task.start') : t('task.due')}
          aria-describedby={wrong ? id : undefined}
          aria-invalid={wrong || undefined}
          max="9999-12-31"
          defaultValue={stored}
          onChange={() => isTyping.current || save()}
          onKeyDown={(event) => {
            if (event.key === 'Enter') save();
            else if (event.key === 'Escape' && isTyping.current) {
              event.preventDefault();
              reset();
            } else if (event.key !== 'Tab') isTyping.current = true;
          }}
          onPointerDown={() => {
            isTyping.current = false;
          }}
          onBlur={save}
        />
      </span>
      {wrong && (
        <span id={id} className={styles.propWrong} role="alert">
          {t('task.datesWrong')}
        </span>
      )}
    </>
  );
}

function show(field: HTMLInputElement | null, day: string): void {
  if (field) field.value = day;
}

export function Estimate({ task, canWrite }: Props) {
  const act = useAct();
  const id = useId();
  const { field, fault } = useSavedField(task.estimate === null ? '' : String(task.estimate), (typed) => {
    const number = typed === '' ? null : Number(typed.replace(',', '.'));
    if (number !== null && !(number >= 0 && number < 100_000)) return t('task.estimateWrong');
    void act(editTasks, [task.id], { estimate: number });
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
        aria-label={t('task.estimate')}
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
