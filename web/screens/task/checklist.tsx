// The checklist: ticked, renamed, reordered by mouse, touch or keys.

import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { addChecklistItem, editChecklistItem, positionAt, removeChecklistItem, useAct } from '../../commands.ts';
import { checklistOf, useQuery } from '../../queries.ts';
import { words } from '../../strings/words.ts';
import type { ChecklistItemRow } from '../../sync/rows.ts';
import { IconButton } from '../../ui/button.tsx';
import { useSavedField } from '../../ui/draft.ts';
import { SortableLines, useSortableLine } from '../../ui/sortable.tsx';
import './checklist.css';

const say = words.task;

export function Checklist({ taskId, canWrite }: { taskId: string; canWrite: boolean }) {
  const act = useAct();
  const items = useQuery(checklistOf, taskId);
  const done = items.filter((item) => item.is_done).length;
  const [title, setTitle] = useState('');

  function add(): void {
    const titles = title
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    for (const line of titles) void act(addChecklistItem, taskId, line.slice(0, 500));
    setTitle('');
  }

  if (items.length === 0 && !canWrite) return null;
  return (
    <section className="task-part" aria-label={say.checklist}>
      <div className="part-head">
        <h3>{say.checklist}</h3>
        {items.length > 0 && (
          <>
            <progress
              className="check-progress"
              max={items.length}
              value={done}
              aria-label={words.board.checklist(done, items.length)}
            />
            <span className="part-count numbers">{say.done(done, items.length)}</span>
          </>
        )}
      </div>
      <SortableLines
        lines={items.map((item) => ({ id: item.id, name: item.title }))}
        onMove={(id, index) => void act(editChecklistItem, id, { position: positionAt(items, id, index) })}
      >
        <ul className="check-items">
          {items.map((item) => (
            <Item key={item.id} item={item} canWrite={canWrite} />
          ))}
        </ul>
      </SortableLines>
      {canWrite && (
        <div className="check-add">
          <Plus size={14} aria-hidden="true" />
          <input
            aria-label={say.addItem}
            placeholder={say.addItem}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.nativeEvent.isComposing) add();
              if (event.key === 'Escape' && title !== '') {
                event.preventDefault();
                setTitle('');
              }
            }}
            onBlur={add}
          />
        </div>
      )}
    </section>
  );
}

function Item({ item, canWrite }: { item: ChecklistItemRow; canWrite: boolean }) {
  const act = useAct();
  const { line, moving, grip } = useSortableLine(item.id, !canWrite);
  const title = useSavedField(item.title, (text) => {
    if (text !== '') void act(editChecklistItem, item.id, { title: text.slice(0, 500) });
    return true;
  });
  return (
    <li {...line} className={`check-item ${moving ? 'check-moving' : ''}`}>
      {canWrite && grip(say.moveItem(item.title))}
      <input
        type="checkbox"
        className="check"
        aria-label={item.title}
        checked={item.is_done}
        disabled={!canWrite}
        onChange={() => void act(editChecklistItem, item.id, { is_done: !item.is_done })}
      />
      {canWrite ? (
        <input
          className={`check-title ${item.is_done ? 'check-done' : ''}`}
          aria-label={say.itemTitle}
          maxLength={500}
          {...title.field}
        />
      ) : (
        <span className={`check-title ${item.is_done ? 'check-done' : ''}`}>{item.title}</span>
      )}
      {canWrite && (
        <IconButton
          label={say.removeItem(item.title)}
          className="check-remove"
          onClick={() => void act(removeChecklistItem, item.id)}
        >
          <X size={14} />
        </IconButton>
      )}
    </li>
  );
}
