// Picker of the recurrence of a task, or of a rule for many: the rule, chosen from suggestions or typed, paused or ended; and the parts copied to the next task.

import { Command } from 'cmdk';
import { useId, useState } from 'react';
import { editRepeat, everyCopy, repeatTasks, stopRepeating, useAct } from '../../commands.ts';
import { useToday } from '../../queries/days/today.ts';
import { type Repeat, readRepeat, sayRepeat, usualRepeats } from '../../queries/tasks/recurrence-rules.ts';
import { recurrenceOf } from '../../queries/tasks/recurrences.ts';
import { columnsOf, type RecurrenceRow, type TaskRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { nameProperty } from '../../strings/name-property.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import pickerStyles from '../../ui/fields/picker.module.css';
import menuStyles from '../../ui/overlays/menu.module.css';
import { Popover, type Trigger } from '../../ui/overlays/popover.tsx';
import styles from './recurrence.module.css';

interface RepeatPickerProps {
  readonly task: TaskRow;
  /** Many, of which it is the first: each gets the rule. */
  readonly taskIds?: readonly string[];
  readonly trigger: Trigger;
  /** Opened by a key: it is open from the start. */
  readonly startOpen?: boolean;
  readonly onClosed?: () => void;
}

export default function RepeatPicker({
  task,
  taskIds = [task.id],
  trigger,
  startOpen = false,
  onClosed,
}: RepeatPickerProps) {
  const [open, setOpen] = useState(startOpen);
  const today = useToday();
  const ownSeries = useQuery(recurrenceOf, task.id);
  const series = taskIds.length === 1 ? ownSeries : null;
  const start = series?.starts_on ?? task.due_date ?? task.start_date ?? today;
  const show = (is: boolean): void => {
    setOpen(is);
    if (!is) onClosed?.();
  };
  return (
    <Popover tall label={t('task.repeats')} open={open} onOpenChange={show} trigger={trigger}>
      <Choice {...{ task, taskIds, series }} start={start} onDone={() => show(false)} />
    </Popover>
  );
}

interface ChoiceProps {
  readonly task: TaskRow;
  readonly taskIds: readonly string[];
  readonly series: RecurrenceRow | null;
  readonly start: string;
  readonly onDone: () => void;
}

function Choice({ task, taskIds, series, start, onDone }: ChoiceProps) {
  const act = useAct();
  const today = useToday();
  const id = useId();
  const [typed, setTyped] = useState('');
  const meant = typed.trim() === '' ? null : readRepeat(typed);
  const offers = typed.trim() === '' ? usualRepeats(start) : meant === null ? [] : [meant];

  function pick({ rule, mode }: Repeat): void {
    if (series) void act(editRepeat, series.id, { rule, mode });
    else void act(repeatTasks, taskIds, rule, mode, today);
    onDone();
  }

  return (
    <div className={styles.choice}>
      <Command shouldFilter={false} label={t('task.repeats')} loop>
        <Command.Input
          className={pickerStyles.pickerInput}
          value={typed}
          onValueChange={setTyped}
          placeholder={t('recur.type')}
          maxLength={200}
          aria-describedby={id}
        />
        <Command.List className={styles.offers} label={t('common.suggestions')}>
          {offers.map((offer) => (
            <Command.Item
              key={`${offer.rule} ${offer.mode}`}
              value={`${offer.rule} ${offer.mode}`}
              className={menuStyles.menuItem}
              onSelect={() => pick(offer)}
            >
              <span className={`${shapes.words} ${shapes.fill}`}>{sayRepeat(offer, start)}</span>
            </Command.Item>
          ))}
        </Command.List>
      </Command>
      <p id={id} className={`${shapes.quiet} ${styles.hint}`}>
        {typed.trim() !== '' && meant === null ? t('recur.unread', { text: typed.trim() }) : t('recur.hint')}
      </p>
      {series && <Series series={series} task={task} onDone={onDone} />}
    </div>
  );
}

const usualLeads = [0, 1, 2, 3, 5, 7, 14, 30];

/** What goes along, where it goes, and how it ends. */
function Series({ series, task, onDone }: { series: RecurrenceRow; task: TaskRow; onDone: () => void }) {
  const act = useAct();
  const columns = useQuery(columnsOf, task.project_id);
  const edit = (patch: Parameters<typeof editRepeat>[2]): void => void act(editRepeat, series.id, patch);
  return (
    <div className={`${shapes.stackS4} ${shapes.ruledAbove} ${styles.series}`}>
      <fieldset className={`${shapes.grid} ${styles.copies}`}>
        <legend>{t('recur.copies.title')}</legend>
        {everyCopy.map((one) => (
          <label key={one}>
            <input
              type="checkbox"
              checked={series.copies.includes(one)}
              onChange={({ target }) =>
                edit({
                  copies: target.checked ? [...series.copies, one] : series.copies.filter((other) => other !== one),
                })
              }
            />
            {nameProperty(`recur.copies.${one}`, one)}
          </label>
        ))}
      </fieldset>
      <SelectField
        label={t('recur.column')}
        value={series.column_id ?? ''}
        choices={[
          { value: '', label: t('recur.firstColumn') },
          ...columns.map((column) => ({ value: column.id, label: column.name })),
        ]}
        onPick={(id) => edit({ column_id: id === '' ? null : id })}
      />
      {series.mode === 'calendar' && (
        <SelectField
          label={t('recur.lead')}
          value={String(series.lead_days ?? 0)}
          choices={[...new Set([...usualLeads, series.lead_days ?? 0])]
            .sort((one, other) => one - other)
            .map((days) => ({ value: String(days), label: t('recur.leadDays', { n: days }) }))}
          onPick={(days) => edit({ lead_days: Number(days) })}
        />
      )}
      <div className={shapes.wrapS3}>
        <Button onClick={() => edit({ paused_at: series.paused_at ? null : new Date().toISOString() })}>
          {series.paused_at ? t('recur.resume') : t('recur.pause')}
        </Button>
        <Button
          onClick={() => {
            void act(stopRepeating, series.id);
            onDone();
          }}
        >
          {t('recur.stop')}
        </Button>
      </div>
    </div>
  );
}
