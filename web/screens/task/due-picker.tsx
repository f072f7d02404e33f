// The due day of one task or of many.

import { editTasks, useAct } from '../../commands.ts';
import { DayPicker } from '../../pieces/day-picker.tsx';
import { own } from '../../properties/own.ts';
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
        const wrong = tasks.map((task) => own.due_date.check(task, due_date)).find((one) => one !== null);
        if (wrong !== undefined) return wrong;
        void act(editTasks, taskIds, { due_date });
        return null;
      }}
    />
  );
}
