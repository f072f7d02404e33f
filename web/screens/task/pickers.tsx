// Changing one thing of one task or of many: its column, priority, people, labels, days, estimate. The panel, rows, the bulk bar and
// keys share these.

import { type ComponentType, useState } from 'react';
import type { OwnProperty } from '../../../contract/views.ts';
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
import { pickerItem } from '../../pieces/choice-mark.tsx';
import { DayPicker } from '../../pieces/day-picker.tsx';
import { own } from '../../properties/own.ts';
import { choicesOf } from '../../properties/values.ts';
import {
  commonAssignees,
  commonLabels,
  mayWrite,
  type Priority,
  roleIn,
  useQuery,
  useReader,
  useUserId,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { estimateRange, readNumberIn, writeNumber } from '../../strings/numbers.ts';
import { Picker } from '../../ui/fields/picker.tsx';
import type { Trigger } from '../../ui/overlays/popover.tsx';
import { nextSwatch } from '../../ui/palette.ts';

export interface TaskPickerProps {
  readonly projectId: string;
  readonly taskIds: readonly string[];
  readonly trigger: Trigger;
  readonly label: string;
  /** Opened by a key: it is open from the start. */
  readonly startOpen?: boolean;
  readonly onClosed?: () => void;
}

function ColumnPicker({ projectId, taskIds, ...popover }: TaskPickerProps) {
  const store = useReader();
  const act = useAct();
  const columns = useQuery(choicesOf, 'column', projectId);
  const only = taskIds.length === 1 ? store.get('tasks', taskIds[0] ?? '') : undefined;
  return (
    <Picker
      {...popover}
      items={columns.map((column) => pickerItem(column, only?.column_id === column.id))}
      onPick={(columnId) => void act(moveTasks, taskIds, columnId)}
    />
  );
}

function PriorityPicker({ taskIds, projectId, ...popover }: TaskPickerProps) {
  const store = useReader();
  const act = useAct();
  const only = taskIds.length === 1 ? store.get('tasks', taskIds[0] ?? '') : undefined;
  return (
    <Picker
      {...popover}
      items={useQuery(choicesOf, 'priority', projectId).map((one) => pickerItem(one, only?.priority === one.id))}
      onPick={(priority) => void act(editTasks, taskIds, { priority: priority as Priority })}
    />
  );
}

function AssigneePicker({ projectId, taskIds, ...popover }: TaskPickerProps) {
  const act = useAct();
  const members = useQuery(choicesOf, 'assignee', projectId);
  const chosen = useQuery(commonAssignees, taskIds.join());
  return (
    <Picker
      several
      {...popover}
      items={members.map((member) => pickerItem(member, chosen.includes(member.id)))}
      onPick={(userId) => void act(chosen.includes(userId) ? unassign : assign, taskIds, userId)}
    />
  );
}

function LabelPicker({ projectId, taskIds, ...popover }: TaskPickerProps) {
  const act = useAct();
  const labels = useQuery(choicesOf, 'label', projectId);
  const chosen = useQuery(commonLabels, taskIds.join());
  const makes = mayWrite(useQuery(roleIn, projectId, useUserId()));
  function make(name: string): void {
    const id = newId();
    void act(createLabel, projectId, name, nextSwatch(labels.map((one) => one.color ?? null)), id);
    void act(addLabel, taskIds, id);
  }
  return (
    <Picker
      several
      {...popover}
      empty={t('settings.noLabels')}
      items={labels.map((one) => pickerItem(one, chosen.includes(one.id)))}
      onPick={(labelId) => void act(chosen.includes(labelId) ? removeLabel : addLabel, taskIds, labelId)}
      makeLabel={(name) => t('task.makeLabel', { name })}
      {...(makes ? { onMake: make } : {})}
    />
  );
}

function makeDatePicker(of: 'due_date' | 'start_date') {
  return function DatePicker({ taskIds, projectId: _, ...popover }: TaskPickerProps) {
    const store = useReader();
    const act = useAct();
    const tasks = taskIds.map((id) => store.get('tasks', id)).filter((task) => task !== undefined);
    const days = new Set(tasks.map((task) => task[of]));
    const [only = null] = days;
    return (
      <DayPicker
        {...popover}
        chosen={days.size === 1 ? only : null}
        none={of === 'due_date' ? t('list.dueNone') : t('common.none')}
        onPick={(day) => {
          const wrong = tasks.map((task) => own[of].check(task, day)).find((one) => one !== null);
          if (wrong !== undefined) return wrong;
          void act(editTasks, taskIds, { [of]: day });
          return null;
        }}
      />
    );
  };
}

const usualEstimates = [1, 2, 3, 5, 8];

/** A number that is typed, or one of the usual ones. */
function EstimatePicker({ taskIds, projectId: _, ...popover }: TaskPickerProps) {
  const store = useReader();
  const act = useAct();
  const [typed, setTyped] = useState('');
  const number = readNumberIn(estimateRange, typed);
  const only = taskIds.length === 1 ? store.get('tasks', taskIds[0] ?? '')?.estimate : undefined;
  const offered = typed.trim() === '' ? usualEstimates : number === null ? [] : [number];
  return (
    <Picker
      {...popover}
      placeholder={t('property.estimate')}
      searched
      onSearch={setTyped}
      items={[
        ...offered.map((one) => ({ id: String(one), label: writeNumber(one), chosen: only === one })),
        ...(typed.trim() === '' ? [{ id: '', label: t('common.none'), chosen: only === null }] : []),
      ]}
      onPick={(id) => void act(editTasks, taskIds, { estimate: id === '' ? null : Number(id) })}
    />
  );
}

/** By property. All others are changed one task at a time. */
const taskPickers = {
  column: ColumnPicker,
  priority: PriorityPicker,
  assignee: AssigneePicker,
  label: LabelPicker,
  due_date: makeDatePicker('due_date'),
  start_date: makeDatePicker('start_date'),
  estimate: EstimatePicker,
} satisfies Partial<Record<OwnProperty, ComponentType<TaskPickerProps>>>;
export type Picked = keyof typeof taskPickers;
export const isPicked = (of: string): of is Picked => Object.hasOwn(taskPickers, of);

export function TaskPicker({ of, ...props }: TaskPickerProps & { readonly of: Picked }) {
  const Chosen = taskPickers[of];
  return <Chosen {...props} />;
}
