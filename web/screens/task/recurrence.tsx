// Recurrence of a task in its panel: its rule in words, and the day of the next one; a press opens its picker.

import { Repeat as RepeatSign } from 'lucide-react';
import { None } from '../../pieces/properties/picked.tsx';
import props from '../../pieces/properties/properties.module.css';
import { sayDay } from '../../queries/days/days.ts';
import { useToday } from '../../queries/days/today.ts';
import { sayRepeat } from '../../queries/tasks/recurrence-rules.ts';
import { recurrenceOf } from '../../queries/tasks/recurrences.ts';
import { type RecurrenceRow, type TaskRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import RepeatPicker from './repeat-picker.tsx';

export default function Recurrence({ task, canWrite }: { task: TaskRow; canWrite: boolean }) {
  const today = useToday();
  const series = useQuery(recurrenceOf, task.id);
  const start = series?.starts_on ?? task.due_date ?? task.start_date ?? today;
  const words =
    series && (series.paused_at ? t('recur.paused', { said: sayRepeat(series, start) }) : sayRepeat(series, start));
  const next = sayNext(series);
  const face =
    words === null ? (
      <None name={t('task.repeats')}>{t('recur.never')}</None>
    ) : (
      <>
        <RepeatSign size={14} aria-hidden="true" className={`${shapes.rigid} ${shapes.quiet}`} />
        <span>
          {words} {next !== '' && <span className={`${shapes.inlineS2} ${shapes.quiet}`}>{next}</span>}
        </span>
      </>
    );
  if (!canWrite) return <span className={props.propValue}>{face}</span>;
  return (
    <RepeatPicker
      task={task}
      trigger={
        <button
          type="button"
          className={`${props.propValue} ${props.propButton}`}
          aria-label={t('common.pair', {
            name: t('task.repeats'),
            value: [words ?? t('recur.never'), next].filter(Boolean).join(' '),
          })}
        >
          {face}
        </button>
      }
    />
  );
}

/** The day of the next one; none is said where nobody knows it yet. */
function sayNext(series: RecurrenceRow | null): string {
  if (series?.is_over) return t('recur.over');
  return series?.next_on && !series.paused_at ? t('recur.next', { day: sayDay(series.next_on) }) : '';
}
