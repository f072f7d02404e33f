// Field that adds lines to a list of a task. A pasted list becomes one line each.

import { Plus } from 'lucide-react';
import { type InputHTMLAttributes, useRef, useState } from 'react';
import { linesOf } from '../../commands.ts';
import shapes from '../../styles/shapes.module.css';
import { useSaveOnLeaving } from '../../ui/fields/draft.ts';
import { limitTo } from '../../ui/fields/limit-to.ts';
import styles from './checklist.module.css';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly onAdd: (titles: readonly string[]) => void;
}

export function AddLine({ label, onAdd, ...rest }: Props) {
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
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) add();
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
    </div>
  );
}
