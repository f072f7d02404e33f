// Quick line that adds subtasks. A pasted list becomes one subtask a line.

import { Plus } from 'lucide-react';
import { type FocusEvent, type InputHTMLAttributes, useRef } from 'react';
import { addSubtasks, linesOf, titleLength, useAct } from '../../commands.ts';
import { LineParts } from '../../pieces/quick-line/line-parts.tsx';
import { QuickField } from '../../pieces/quick-line/quick-field.tsx';
import { draftOf, useQuickLine } from '../../pieces/quick-line/use-quick-line.ts';
import type { TaskRow } from '../../queries.ts';
import shapes from '../../styles/shapes.module.css';
import { useSaveOnLeaving } from '../../ui/fields/draft.ts';
import { limitTo } from '../../ui/fields/limit-to.ts';
import styles from './checklist.module.css';

interface AddSubtaskProps extends Pick<InputHTMLAttributes<HTMLInputElement>, 'placeholder'> {
  readonly task: TaskRow;
  readonly label: string;
}

export function AddSubtask({ task, label, ...rest }: AddSubtaskProps) {
  const act = useAct();
  const line = useQuickLine(task.project_id);
  const { typed, type, read } = line;
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);

  function add(): void {
    const drafts = linesOf(typed.current).map((one) => draftOf(read(one)));
    type('');
    if (drafts.length > 0) void act(addSubtasks, task.id, drafts);
  }
  useSaveOnLeaving(add);

  /** A press on a part is no leaving. */
  function onBlur({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void {
    if (!currentTarget.contains(relatedTarget)) add();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus of the field and of what stands below it
    <div onBlur={onBlur}>
      <div className={`${shapes.rowS3} ${shapes.quiet} ${styles.checkAdd}`}>
        <Plus size={14} aria-hidden="true" />
        <QuickField
          line={line}
          field={field}
          aria-label={label}
          placeholder={label}
          {...limitTo(titleLength)}
          {...rest}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) add();
            if (event.key === 'Escape' && typed.current !== '') {
              event.preventDefault();
              type('');
            }
          }}
          onPaste={(event) => {
            // A field of one line would run them together.
            const pasted = event.clipboardData.getData('text');
            if (!pasted.trim().includes('\n')) return;
            event.preventDefault();
            typed.current += pasted;
            add();
          }}
        />
      </div>
      <LineParts line={line} onBack={() => field.current?.focus()} onEscape={() => field.current?.focus()} />
    </div>
  );
}
