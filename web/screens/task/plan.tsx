// When a task begins and is due, and how much work it is.

import { useId, useRef, useState } from 'react';
import { editTasks, useAct } from '../../commands.ts';
import { sayDay } from '../../queries/days.ts';
import { words } from '../../strings/words.ts';
import type { TaskRow } from '../../sync/rows.ts';
import { useDraft, useSavedField, useSaveOnLeaving } from '../../ui/draft.ts';

const say = words.task;
const none = <span className="prop-none">{words.common.none}</span>;

interface Props {
  readonly task: TaskRow;
  readonly canWrite: boolean;
}

export function Day({ task, column, canWrite }: Props & { readonly column: 'start_date' | 'due_date' }) {
  if (canWrite) return <DayField task={task} column={column} />;
  return <span className="prop-value">{task[column] === null ? none : sayDay(task[column])}</span>;
}

/** What is picked from the calendar counts at once, what is typed when it is finished: on the way it passes through other days. */
function DayField({ task, column }: { task: TaskRow; column: 'start_date' | 'due_date' }) {
  const act = useAct();
  const id = useId();
  const [wrong, setWrong] = useState(false);
  const isTyping = useRef(false);
  const stored = task[column] ?? '';
  const draft = useDraft(stored);

  function save(day: string): void {
    isTyping.current = false;
    const start = column === 'start_date' ? day || null : task.start_date;
    const due = column === 'due_date' ? day || null : task.due_date;
    const isWrong = start !== null && due !== null && due < start;
    setWrong(isWrong);
    if (isWrong) return;
    draft.settle();
    if (day !== stored) void act(editTasks, [task.id], { [column]: day || null });
  }
  useSaveOnLeaving(() => draft.dirty && !wrong && save(draft.text));

  return (
    <>
      <span className="prop-date" data-day={draft.text === '' ? '–' : sayDay(draft.text)}>
        <input
          type="date"
          className="prop-input numbers"
          aria-label={column === 'start_date' ? say.start : say.due}
          aria-describedby={wrong ? id : undefined}
          aria-invalid={wrong || undefined}
          max="9999-12-31"
          value={draft.text}
          onChange={({ target: { value, validity } }) => {
            if (validity.badInput) return;
            draft.set(value);
            if (!isTyping.current) save(value);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') save(draft.text);
            else if (event.key === 'Escape' && draft.dirty) {
              event.preventDefault();
              draft.reset();
              setWrong(false);
            } else isTyping.current = true;
          }}
          onPointerDown={() => {
            isTyping.current = false;
          }}
          onBlur={() => draft.dirty && save(draft.text)}
        />
      </span>
      {wrong && (
        <span id={id} className="prop-wrong" role="alert">
          {say.datesWrong}
        </span>
      )}
    </>
  );
}

export function Estimate({ task, canWrite }: Props) {
  const act = useAct();
  const id = useId();
  const { field, fault } = useSavedField(task.estimate === null ? '' : String(task.estimate), (typed) => {
    const number = typed === '' ? null : Number(typed.replace(',', '.'));
    if (number !== null && !(number >= 0 && number < 100_000)) return say.estimateWrong;
    void act(editTasks, [task.id], { estimate: number });
    return null;
  });
  if (!canWrite) return <span className="prop-value numbers">{task.estimate?.toLocaleString() ?? none}</span>;
  return (
    <>
      <input
        className="prop-input numbers"
        inputMode="decimal"
        aria-label={say.estimate}
        aria-describedby={id}
        aria-invalid={fault !== null || undefined}
        title={say.estimateHint}
        placeholder="–"
        {...field}
      />
      <span id={id} className={fault ? 'prop-wrong' : 'only-spoken'} role={fault ? 'alert' : undefined}>
        {fault ?? say.estimateHint}
      </span>
    </>
  );
}
