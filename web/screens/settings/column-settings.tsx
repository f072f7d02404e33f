// The columns of the board: name, kind, limit, order.

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
import { GripVertical, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { addColumn, editColumn, positionBetween, removeColumn, useAct } from '../../commands.ts';
import { KindMark } from '../../pieces/marks.tsx';
import { columnsOf, useQuery } from '../../queries.ts';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { ColumnKind, ColumnRow } from '../../sync/rows.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useDraft } from '../../ui/draft.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { complain } from '../../ui/toaster.tsx';
import { Section } from './section.tsx';

const say = words.settings;
const kinds: readonly ColumnKind[] = ['backlog', 'todo', 'in_progress', 'done', 'custom'];

export function ColumnSettings({ projectId }: { projectId: string }) {
  const act = useAct();
  const columns = useQuery(columnsOf, projectId);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 4 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );

  function onDragEnd({ active, over }: DragEndEvent): void {
    if (over === null || over.id === active.id) return;
    const rest = columns.filter((column) => column.id !== active.id);
    const from = columns.findIndex((column) => column.id === active.id);
    const to = columns.findIndex((column) => column.id === over.id);
    const at = rest.findIndex((column) => column.id === over.id) + (to > from ? 1 : 0);
    const position = positionBetween(rest[at - 1]?.position ?? null, rest[at]?.position ?? null);
    void act(editColumn, String(active.id), { position });
  }

  return (
    <Section title={say.sections.columns}>
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={onDragEnd}>
        <SortableContext items={columns.map((column) => column.id)} strategy={verticalListSortingStrategy}>
          <ul className="settings-rows">
            {columns.map((column) => (
              <ColumnLine key={column.id} column={column} />
            ))}
          </ul>
        </SortableContext>
      </DndContext>
      <div>
        <Button icon={<Plus size={16} />} onClick={() => void act(addColumn, projectId, say.newColumn)}>
          {say.addColumn}
        </Button>
      </div>
    </Section>
  );
}

function ColumnLine({ column }: { column: ColumnRow }) {
  const act = useAct();
  const { store } = useSync();
  const name = useDraft(column.name);
  const limit = useDraft(column.wip_limit === null ? '' : String(column.wip_limit));
  const [fault, setFault] = useState<string | null>(null);
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: column.id,
  });

  function saveName(): void {
    if (name.dirty && name.text.trim() !== '') void act(editColumn, column.id, { name: name.text.trim() });
    name.settle();
  }

  function saveLimit(): void {
    const text = limit.text.trim();
    const number = text === '' ? null : Number(text);
    if (number !== null && (!Number.isInteger(number) || number < 1 || number > 1_000_000)) {
      setFault(say.columnWipWrong);
      return;
    }
    setFault(null);
    if (limit.dirty) void act(editColumn, column.id, { wip_limit: number });
    limit.settle();
  }

  function remove(): void {
    if (store.count('tasks', 'column_id', column.id) > 0) complain(say.removeColumn(column.name), say.columnNotEmpty);
    else void act(removeColumn, column.id);
  }

  return (
    <li
      ref={setNodeRef}
      className={`settings-row ${isDragging ? 'check-moving' : ''}`}
      style={{ transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined, transition }}
    >
      <button
        type="button"
        className="check-grip"
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        aria-label={say.moveColumn(column.name)}
      >
        <GripVertical size={14} />
      </button>
      <KindMark kind={column.kind} color={column.color} />
      <TextField
        label={say.columnName}
        bare
        maxLength={100}
        value={name.text}
        onChange={(event) => name.set(event.target.value)}
        onBlur={saveName}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
      <SelectField
        label={say.columnKind}
        bare
        value={column.kind}
        choices={kinds.map((kind) => ({ value: kind, label: words.common.kinds[kind] }))}
        onPick={(kind) => void act(editColumn, column.id, { kind })}
      />
      <TextField
        label={say.columnWip}
        bare
        inputMode="numeric"
        placeholder={say.columnWip}
        value={limit.text}
        onChange={(event) => limit.set(event.target.value)}
        onBlur={saveLimit}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        error={fault}
      />
      <IconButton label={say.removeColumn(column.name)} onClick={remove}>
        <Trash2 size={15} />
      </IconButton>
    </li>
  );
}
