// A cell that is being edited: a field for what is typed, or the picker of what is chosen, in place.

import { useEffect, useId, useRef, useState } from 'react';
import { editTasks, setField, useAct } from '../../commands.ts';
import { DayPicker } from '../../pieces/day-picker.tsx';
import marksStyles from '../../pieces/marks.module.css';
import {
  chosenOptions,
  type FieldRow,
  fieldValue,
  membersOf,
  optionsOf,
  type TaskRow,
  useQuery,
  useReader,
  valueChanges,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { useSaveOnLeaving } from '../../ui/fields/draft.ts';
import { Picker } from '../../ui/fields/picker.tsx';
import { showError } from '../../ui/overlays/toaster.tsx';
import { DuePicker } from '../task/due-picker.tsx';
import { AssigneePicker, ColumnPicker, LabelPicker, PriorityPicker } from '../task/pickers.tsx';
import type { TableColumn } from './columns.ts';
import tableStyles from './table.module.css';
import type { Cells, Step } from './use-cells.ts';

interface CellFieldProps {
  readonly task: TaskRow;
  readonly of: TableColumn;
  readonly taskKey: string;
  /** What was typed to begin with; null: what is there is edited. */
  readonly start: string | null;
  readonly onFinish: Cells['finish'];
}

/** Enter, Tab and leaving keep what was typed; Escape does not. Nothing typed is nothing kept, whatever someone else wrote since. */
export function CellField({ task, of, taskKey, start, onFinish }: CellFieldProps) {
  const store = useReader();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [begun] = useState(() => of.property.say(store, task));
  const [text, setText] = useState(start ?? begun);
  const typed = start === null && text === begun ? null : text;
  const [fault, setFault] = useState<string | null>(null);
  const finished = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only as it begins
  useEffect(() => {
    field.current?.focus();
    if (start === null) field.current?.select();
  }, []);
  function finish(keep: boolean, step: Step): void {
    if (finished.current) return;
    finished.current = true;
    const wrong = onFinish(task, of, keep ? typed : null, step);
    if (wrong === null) return;
    finished.current = false;
    setFault(wrong);
  }
  function leave(): void {
    if (finished.current) return;
    finished.current = true;
    const wrong = onFinish(task, of, typed, 'stay');
    if (wrong === null) return;
    showError(wrong);
    onFinish(task, of, null, 'stay');
  }
  useSaveOnLeaving(leave);
  return (
    <>
      <input
        ref={field}
        className={`${tableStyles.field} ${of.property.adds ? 'numbers' : ''}`}
        aria-label={t('table.cell', { key: taskKey, column: of.name })}
        aria-invalid={fault !== null || undefined}
        aria-describedby={fault === null ? undefined : id}
        inputMode={of.property.adds ? 'decimal' : 'text'}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setFault(null);
        }}
        onBlur={leave}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          const step = { Enter: event.shiftKey ? 'up' : 'down', Tab: event.shiftKey ? 'left' : 'right' } as const;
          if (event.key === 'Enter' || event.key === 'Tab') {
            event.preventDefault();
            finish(true, step[event.key]);
          }
          if (event.key === 'Escape') {
            event.stopPropagation();
            finish(false, null);
          }
        }}
      />
      {fault !== null && (
        <span id={id} role="alert" className={tableStyles.fault}>
          {fault}
        </span>
      )}
    </>
  );
}

interface CellPickerProps {
  readonly task: TaskRow;
  readonly of: TableColumn;
  readonly there: HTMLElement;
  readonly onClosed: () => void;
}

const pickers = {
  priority: PriorityPicker,
  column: ColumnPicker,
  assignee: AssigneePicker,
  label: LabelPicker,
} as const;

/** Opens over the cell, which has the focus again afterwards. */
export function CellPicker({ task, of, there, onClosed }: CellPickerProps) {
  const shared = { trigger: { there }, label: of.name, startOpen: true, onClosed };
  const one = { ...shared, projectId: task.project_id, taskIds: [task.id] };
  if (of.id === 'due_date') return <DuePicker {...one} />;
  if (of.id === 'start_date') return <StartPicker task={task} {...shared} />;
  if (of.field) return <FieldPicker task={task} field={of.field} {...shared} />;
  const TaskPicker = pickers[of.id as keyof typeof pickers];
  return <TaskPicker {...one} />;
}

type PickerShared = Pick<Parameters<typeof Picker>[0], 'trigger' | 'label' | 'startOpen' | 'onClosed'>;

function StartPicker({ task, ...shared }: { task: TaskRow } & PickerShared) {
  const act = useAct();
  return (
    <DayPicker
      {...shared}
      chosen={task.start_date}
      none={t('days.none')}
      onPick={(start_date) => {
        if (start_date !== null && task.due_date !== null && task.due_date < start_date) return t('task.datesWrong');
        void act(editTasks, [task.id], { start_date });
        return null;
      }}
    />
  );
}

function FieldPicker({ task, field, ...shared }: { task: TaskRow; field: FieldRow } & PickerShared) {
  const store = useReader();
  const act = useAct();
  useQuery(valueChanges);
  const members = useQuery(membersOf, field.project_id);
  const value = fieldValue(store, task, field.id) ?? null;
  const set = (next: typeof value): void => void act(setField, task.id, field.id, next);
  if (field.kind === 'date')
    return (
      <DayPicker
        {...shared}
        chosen={typeof value === 'string' ? value : null}
        none={t('days.none')}
        onPick={(day) => {
          set(day);
          return null;
        }}
      />
    );
  if (field.kind === 'person')
    return (
      <Picker
        {...shared}
        items={members.map(({ userId, name, avatarUrl }) => ({
          id: userId,
          label: name,
          icon: <Avatar name={name} url={avatarUrl} seed={userId} size={20} />,
          chosen: userId === value,
        }))}
        onPick={(userId) => set(userId === value ? null : userId)}
      />
    );
  const chosen = chosenOptions(value);
  const several = field.kind === 'multi_select';
  return (
    <Picker
      {...shared}
      several={several}
      empty={t('table.noOptions')}
      items={optionsOf(field).map(({ id, name, color }) => ({
        id,
        label: name,
        icon: <span className={marksStyles.labelDot} style={{ background: color ?? 'var(--edge)' }} />,
        chosen: chosen.includes(id),
      }))}
      onPick={(picked) => {
        const next = optionsOf(field)
          .map(({ id }) => id)
          .filter((id) => chosen.includes(id) !== (id === picked));
        if (several) set(next.length === 0 ? null : next);
        else set(chosen.includes(picked) ? null : picked);
      }}
    />
  );
}
