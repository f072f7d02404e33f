// The due day of one task or of many: typed, or one of the days that are picked most.

import { useState } from 'react';
import { editTasks, useAct } from '../../commands.ts';
import { sayDay } from '../../queries/days.ts';
import { useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Popover } from '../../ui/popover.tsx';
import styles from './due-picker.module.css';
import type { TaskPickerProps } from './pickers.tsx';
import { quickDays } from './quick-days.ts';

export function DuePicker({
  taskIds,
  trigger,
  label,
  startOpen = false,
  onClosed,
}: Omit<TaskPickerProps, 'projectId'>) {
  const store = useReader();
  const act = useAct();
  const [open, setOpen] = useState(startOpen);
  const show = (is: boolean): void => {
    setOpen(is);
    if (!is) onClosed?.();
  };
  const only = taskIds.length === 1 ? store.get('tasks', taskIds[0] ?? '') : undefined;
  const set = (due_date: string | null): void => {
    void act(editTasks, taskIds, { due_date });
    show(false);
  };
  const days = quickDays(new Date());
  return (
    <Popover trigger={trigger} label={label} open={open} onOpenChange={show}>
      <div className={styles.picker}>
        <TextField
          type="date"
          label={t('list.dueDate')}
          defaultValue={only?.due_date ?? ''}
          onKeyDown={(event) => {
            if (event.key === 'Enter') set(event.currentTarget.value || null);
          }}
          onBlur={(event) => {
            const { value } = event.currentTarget;
            if (value !== (only?.due_date ?? '') && value !== '') set(value);
          }}
        />
        <div className={styles.quick}>
          {days.map((day) => (
            <Button key={day.date} look="quiet" onClick={() => set(day.date)}>
              {t(`list.${day.name}`)} <span className={styles.day}>{sayDay(day.date)}</span>
            </Button>
          ))}
          <Button look="quiet" onClick={() => set(null)}>
            {t('list.dueNone')}
          </Button>
        </div>
      </div>
    </Popover>
  );
}
