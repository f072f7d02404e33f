// Typing a new task at the end of a column; Enter adds and stays for the next one.

import type { KeyboardEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { createTask, useAct } from '../../commands.ts';
import { words } from '../../strings/words.ts';
import type { ColumnRow } from '../../sync/rows.ts';

const say = words.board;

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
  const act = useAct();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);

  function add(): void {
    // A pasted list becomes a task a line.
    const titles = title
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    for (const line of titles)
      void act(createTask, { projectId: column.project_id, columnId: column.id, title: line.slice(0, 500) });
    setTitle('');
    if (titles.length > 0) onAdded(titles.length);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      add();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      const column = field.current?.closest('section');
      onClose();
      requestAnimationFrame(() => column?.querySelector<HTMLElement>('.column-add')?.focus());
    }
  }

  return (
    <div className="quick-add">
      <textarea
        ref={field}
        rows={2}
        aria-label={say.addTo(column.name)}
        aria-describedby="quick-add-hint"
        placeholder={say.addPlaceholder}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          add();
          onClose();
        }}
      />
      <p id="quick-add-hint" className="quick-add-hint">
        {say.addHint}
      </p>
    </div>
  );
}
