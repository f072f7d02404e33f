// A cell that is being edited: a field for what is typed, or the picker of what is chosen, in place.

import { useEffect, useId, useRef, useState } from 'react';
import { ValuePicker } from '../../pieces/properties/value.tsx';
import { type TaskRow, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { useSaveOnLeaving } from '../../ui/fields/draft.ts';
import { showError } from '../../ui/overlays/toaster.tsx';
import { isPicked, TaskPicker } from '../task/pickers.tsx';
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
        className={`${shapes.full} ${shapes.over} ${shapes.tall} ${tableStyles.field} ${of.property.adds ? 'numbers' : ''}`}
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
        <span id={id} role="alert" className={`${shapes.roundS} ${shapes.over} ${tableStyles.fault}`}>
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

/** Opens over the cell, which has the focus again afterwards. */
export function CellPicker({ task, of, there, onClosed }: CellPickerProps) {
  const shared = { trigger: { there }, label: of.name, startOpen: true, onClosed };
  if (!isPicked(of.id)) return <ValuePicker of={of.id} task={task} {...shared} />;
  return <TaskPicker of={of.id} projectId={task.project_id} taskIds={[task.id]} {...shared} />;
}
