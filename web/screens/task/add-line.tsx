// Quick line that adds subtasks or checklist items to a task. A pasted list becomes one line each.

import { Plus } from 'lucide-react';
import { type FocusEvent, type InputHTMLAttributes, type ReactNode, useRef } from 'react';
import { linesOf, type TaskDraft } from '../../commands.ts';
import { LineParts } from '../../pieces/quick-line/line-parts.tsx';
import { QuickField } from '../../pieces/quick-line/quick-field.tsx';
import { draftOf, useQuickLine } from '../../pieces/quick-line/use-quick-line.ts';
import shapes from '../../styles/shapes.module.css';
import { useSaveOnLeaving } from '../../ui/fields/draft.ts';
import { limitTo } from '../../ui/fields/limit-to.ts';
import styles from './checklist.module.css';

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'children'> {
  readonly projectId: string;
  readonly label: string;
  /** The line is all title. */
  readonly plain: boolean;
  /** Behind the field. */
  readonly children?: ReactNode;
  /** The keys that turn one kind of line into another. */
  readonly onSwitch?: () => void;
  readonly onAdd: (drafts: readonly TaskDraft[]) => void;
}

export function AddLine({ projectId, label, plain, onAdd, onSwitch, children, ...rest }: Props) {
  const line = useQuickLine(projectId, { plain });
  const { typed, type, readToAdd } = line;
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);

  function add(): void {
    const lines = linesOf(typed.current);
    type('');
    if (lines.length > 0) readToAdd(lines, (tasks) => onAdd(tasks.map((task) => draftOf(task))));
  }
  useSaveOnLeaving(add);

  /** A press on a part is no leaving. */
  function onBlur({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void {
    if (!currentTarget.contains(relatedTarget)) add();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus of the field and of what stands below it
    <div onBlur={onBlur}>
      <div className={`${shapes.rowS3} ${shapes.quiet} ${shapes.wraps} ${styles.checkAdd}`}>
        <Plus size={14} aria-hidden="true" />
        <QuickField
          line={line}
          field={field}
          aria-label={label}
          placeholder={label}
          {...limitTo(500)}
          {...rest}
          onKeyDown={(event) => {
            const { shiftKey, ctrlKey, metaKey } = event;
            if (event.key === 'Enter' && shiftKey && (ctrlKey || metaKey)) onSwitch?.();
            else if (event.key === 'Enter' && !event.nativeEvent.isComposing) add();
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
        {children}
      </div>
      <LineParts line={line} onBack={() => field.current?.focus()} onEscape={() => field.current?.focus()} />
    </div>
  );
}
