// Typing a new task at the end of a column; Enter adds and stays for the next one.

import type { KeyboardEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { createTasks, linesOf, overBy, titleLength, useAct } from '../../commands.ts';
import type { ColumnRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { useSaveOnLeaving } from '../../ui/draft.ts';
import fieldStyles from '../../ui/field.module.css';
import styles from './board.module.css';

export function QuickAdd({
  column,
  onClose,
  onAdded,
}: {
  column: ColumnRow;
  onClose: () => void;
  onAdded: (count: number) => void;
}) {
  const [title, setTitle] = useState('');
  const [tooLong, setTooLong] = useState(false);
  const act = useAct();
  const field = useRef<HTMLTextAreaElement>(null);
  /** What was typed and not added yet, also while the field is going away. */
  const typed = useRef('');
  useEffect(() => field.current?.focus(), []);

  function type(text: string): void {
    typed.current = text;
    setTitle(text);
  }

  /** A pasted list becomes a task a line; lines that are too long stay. Says whether all could be added. */
  function add(): boolean {
    const lines = linesOf(typed.current);
    const long = lines.filter((line) => overBy(line, titleLength) > 0);
    const titles = lines.filter((line) => !long.includes(line));
    type(long.join('\n'));
    setTooLong(long.length > 0);
    if (titles.length > 0) {
      void act(createTasks, { projectId: column.project_id, columnId: column.id }, titles);
      onAdded(titles.length);
    }
    return long.length === 0;
  }
  useSaveOnLeaving(add);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      add();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      typed.current = '';
      const column = field.current?.closest('section');
      onClose();
      requestAnimationFrame(() => column?.querySelector<HTMLElement>('[data-add-task]')?.focus());
    }
  }

  return (
    <div className={styles.quickAdd}>
      <textarea
        ref={field}
        rows={2}
        aria-label={t('board.addTo', { column: column.name })}
        aria-describedby="quick-add-hint"
        placeholder={t('board.addPlaceholder')}
        value={title}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
        aria-invalid={tooLong || undefined}
        onBlur={() => {
          if (add()) onClose();
        }}
      />
      <p
        id="quick-add-hint"
        className={tooLong ? fieldStyles.fieldError : styles.quickAddHint}
        role={tooLong ? 'alert' : undefined}
      >
        {tooLong ? t('task.titleTooLong', { most: titleLength }) : t('board.addHint')}
      </p>
    </div>
  );
}
