// Field that adds lines to a list of a task. A pasted list becomes one line each.

import { Plus } from 'lucide-react';
import { type InputHTMLAttributes, type ReactNode, useRef, useState } from 'react';
import { linesOf } from '../../commands.ts';
import shapes from '../../styles/shapes.module.css';
import { useSaveOnLeaving } from '../../ui/fields/draft.ts';
import { limitTo } from '../../ui/fields/limit-to.ts';
import styles from './checklist.module.css';

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'children'> {
  readonly label: string;
  /** Behind the field. */
  readonly children?: ReactNode;
  /** The keys that turn one kind of line into another. */
  readonly onSwitch?: () => void;
  readonly onAdd: (titles: readonly string[]) => void;
}

export function AddLine({ label, onAdd, onSwitch, children, ...rest }: Props) {
  const [title, setTitle] = useState('');
  /** What was typed and not added yet, also while the field is going away. */
  const typed = useRef('');

  function type(text: string): void {
    typed.current = text;
    setTitle(text);
  }

  function add(): void {
    const titles = linesOf(typed.current);
    type('');
    if (titles.length > 0) onAdd(titles);
  }
  useSaveOnLeaving(add);

  return (
    <div className={`${shapes.rowS3} ${shapes.quiet} ${styles.checkAdd}`}>
      <Plus size={14} aria-hidden="true" />
      <input
        aria-label={label}
        placeholder={label}
        {...limitTo(500)}
        {...rest}
        value={title}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          const { shiftKey, ctrlKey, metaKey } = event;
          if (event.key === 'Enter' && onSwitch !== undefined && shiftKey && (ctrlKey || metaKey)) onSwitch();
          else if (event.key === 'Enter' && !event.nativeEvent.isComposing) add();
          if (event.key === 'Escape' && title !== '') {
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
        onBlur={add}
      />
      {children}
    </div>
  );
}
