// The checklist: ticked, renamed, reordered by mouse, touch or keys.

import type { DragEndEvent } from '@dnd-kit/core';
import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { GripVertical, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { addChecklistItem, editChecklistItem, positionBetween, removeChecklistItem, useAct } from '../../commands.ts';
import { checklistOf, useQuery } from '../../queries.ts';
import { words } from '../../strings/words.ts';
import type { ChecklistItemRow } from '../../sync/rows.ts';
import { IconButton } from '../../ui/button.tsx';
import { useDraft } from '../../ui/draft.ts';
import '../../ui/sortable.css';
import './checklist.css';

const say = words.task;

export function Checklist({ taskId, canWrite }: { taskId: string; canWrite: boolean }) {
  const act = useAct();
  const items = useQuery(checklistOf, taskId);
  const done = items.filter((item) => item.is_done).length;
  const [title, setTitle] = useState('');
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 4 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );

  function onDragEnd({ active, over }: DragEndEvent): void {
    if (over === null || over.id === active.id) return;
    const rest = items.filter((item) => item.id !== active.id);
    const from = items.findIndex((item) => item.id === active.id);
    const to = items.findIndex((item) => item.id === over.id);
    const at = rest.findIndex((item) => item.id === over.id) + (to > from ? 1 : 0);
    const position = positionBetween(rest[at - 1]?.position ?? null, rest[at]?.position ?? null);
    void act(editChecklistItem, String(active.id), { position });
  }

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
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={onDragEnd}>
        <SortableContext items={items.map((item) => item.id)} strategy={verticalListSortingStrategy}>
          <ul className="check-items">
            {items.map((item) => (
              <Item key={item.id} item={item} canWrite={canWrite} />
            ))}
          </ul>
        </SortableContext>
      </DndContext>
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
  const draft = useDraft(item.title);
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: item.id,
    disabled: !canWrite,
  });
  const style = {
    transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined,
    transition,
  };
  function save(): void {
    const title = draft.text.trim();
    if (draft.dirty && title !== '') void act(editChecklistItem, item.id, { title: title.slice(0, 500) });
    draft.settle();
  }
  return (
    <li ref={setNodeRef} style={style} className={`check-item ${isDragging ? 'check-moving' : ''}`}>
      {canWrite && (
        <button
          type="button"
          className="check-grip"
          ref={setActivatorNodeRef}
          {...attributes}
          {...listeners}
          aria-label={say.moveItem(item.title)}
        >
          <GripVertical size={14} />
        </button>
      )}
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
          value={draft.text}
          maxLength={500}
          onChange={(event) => draft.set(event.target.value)}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur();
            if (event.key === 'Escape' && draft.dirty) {
              event.preventDefault();
              draft.reset();
            }
          }}
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
