// Changing one thing of one task or of many: its column, priority, people, labels, due day. Rows and the bulk bar share these.

import type { ReactElement } from 'react';
import { useState } from 'react';
import {
  addLabel,
  assign,
  createLabel,
  editTasks,
  moveTasks,
  newId,
  removeLabel,
  unassign,
  useAct,
} from '../../commands.ts';
import { KindMark, PriorityMark } from '../../pieces/marks.tsx';
import { sayDay } from '../../queries/days.ts';
import { columnsOf, commonAssignees, commonLabels, labelsOf, membersOf, useQuery } from '../../queries.ts';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { Priority } from '../../sync/rows.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { nextSwatch } from '../../ui/palette.ts';
import { Picker } from '../../ui/picker.tsx';
import { Popover } from '../../ui/popover.tsx';
import { quickDays } from './quick-days.ts';

const say = words.list;
const priorities: readonly Priority[] = ['p0', 'p1', 'p2'];

export interface TaskPickerProps {
  readonly projectId: string;
  readonly taskIds: readonly string[];
  readonly trigger: ReactElement;
  readonly label: string;
}

export function ColumnPicker({ projectId, taskIds, trigger, label }: TaskPickerProps) {
  const { store } = useSync();
  const act = useAct();
  const columns = useQuery(columnsOf, projectId);
  const only = taskIds.length === 1 ? store.get('tasks', taskIds[0] ?? '') : undefined;
  return (
    <Picker
      trigger={trigger}
      label={label}
      items={columns.map((column) => ({
        id: column.id,
        label: column.name,
        icon: <KindMark kind={column.kind} color={column.color} />,
        chosen: only?.column_id === column.id,
      }))}
      onPick={(columnId) => void act(moveTasks, taskIds, columnId)}
    />
  );
}

export function PriorityPicker({ taskIds, trigger, label }: TaskPickerProps) {
  const { store } = useSync();
  const act = useAct();
  const only = taskIds.length === 1 ? store.get('tasks', taskIds[0] ?? '') : undefined;
  return (
    <Picker
      trigger={trigger}
      label={label}
      items={priorities.map((priority) => ({
        id: priority,
        label: words.common.priorities[priority],
        icon: <PriorityMark priority={priority} />,
        chosen: only?.priority === priority,
      }))}
      onPick={(priority) => void act(editTasks, taskIds, { priority: priority as Priority })}
    />
  );
}

export function AssigneePicker({ projectId, taskIds, trigger, label }: TaskPickerProps) {
  const act = useAct();
  const members = useQuery(membersOf, projectId);
  const chosen = useQuery(commonAssignees, taskIds.join());
  return (
    <Picker
      several
      trigger={trigger}
      label={label}
      items={members.map((member) => ({
        id: member.userId,
        label: member.name,
        icon: <Avatar name={member.name} url={member.avatarUrl} seed={member.userId} size={20} />,
        chosen: chosen.includes(member.userId),
      }))}
      onPick={(userId) => void act(chosen.includes(userId) ? unassign : assign, taskIds, userId)}
    />
  );
}

export function LabelPicker({ projectId, taskIds, trigger, label }: TaskPickerProps) {
  const act = useAct();
  const labels = useQuery(labelsOf, projectId);
  const chosen = useQuery(commonLabels, taskIds.join());
  return (
    <Picker
      several
      trigger={trigger}
      label={label}
      empty={words.settings.noLabels}
      items={labels.map((one) => ({
        id: one.id,
        label: one.name,
        icon: <span className="label-dot" style={{ background: one.color ?? 'var(--edge)' }} />,
        chosen: chosen.includes(one.id),
      }))}
      onPick={(labelId) => void act(chosen.includes(labelId) ? removeLabel : addLabel, taskIds, labelId)}
      makeLabel={words.task.makeLabel}
      onMake={(name) => {
        const id = newId();
        void act(createLabel, projectId, name, nextSwatch(labels.map((one) => one.color)), id);
        void act(addLabel, taskIds, id);
      }}
    />
  );
}

export function DuePicker({ taskIds, trigger, label }: Omit<TaskPickerProps, 'projectId'>) {
  const { store } = useSync();
  const act = useAct();
  const [open, setOpen] = useState(false);
  const only = taskIds.length === 1 ? store.get('tasks', taskIds[0] ?? '') : undefined;
  const set = (due_date: string | null): void => {
    void act(editTasks, taskIds, { due_date });
    setOpen(false);
  };
  const days = quickDays(new Date());
  return (
    <Popover trigger={trigger} label={label} open={open} onOpenChange={setOpen}>
      <div className="due-picker">
        <TextField
          type="date"
          label={say.dueDate}
          defaultValue={only?.due_date ?? ''}
          onKeyDown={(event) => {
            if (event.key === 'Enter') set(event.currentTarget.value || null);
          }}
          onBlur={(event) => {
            const { value } = event.currentTarget;
            if (value !== (only?.due_date ?? '') && value !== '') set(value);
          }}
        />
        <div className="due-quick">
          {days.map((day) => (
            <Button key={day.date} look="quiet" onClick={() => set(day.date)}>
              {say[day.name]} <span className="due-quick-day">{sayDay(day.date)}</span>
            </Button>
          ))}
          <Button look="quiet" onClick={() => set(null)}>
            {say.dueNone}
          </Button>
        </div>
      </div>
    </Popover>
  );
}
