// The due day of one task or of many.

import { editTasks, useAct } from '../../commands.ts';
import { DayPicker } from '../../pieces/day-picker.tsx';
import { useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import type { TaskPickerProps } from './pickers.tsx';

export function DuePicker({ taskIds, ...popover }: Omit<TaskPickerProps, 'projectId'> & { projectId?: string }) {
  const store = useReader();
  const act = useAct();
  const tasks = taskIds.map((id) => store.get('tasks', id)).filter((task) => task !== undefined);
  const days = new Set(tasks.map((task) => task.due_date));
  const [only = null] = days;
  return (
    <DayPicker
      {...popover}
      chosen={days.size === 1 ? only : null}
      none={t('list.dueNone')}
      onPick={(due_date) => {
        if (due_date !== null && tasks.some(({ start_date }) => start_date !== null && due_date < start_date))
          return t('task.datesWrong');
        void act(editTasks, taskIds, { due_date });
        return null;
      }}
    />
  );
}
