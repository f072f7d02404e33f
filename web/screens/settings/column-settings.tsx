// The columns of the board: name, kind, limit, order.

import { Plus, Trash2 } from 'lucide-react';
import { addColumn, editColumn, positionAt, removeColumn, useAct } from '../../commands.ts';
import { KindMark } from '../../pieces/marks.tsx';
import { columnsOf, useQuery } from '../../queries.ts';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { ColumnKind, ColumnRow } from '../../sync/rows.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useSavedField } from '../../ui/draft.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { SortableLines, useSortableLine } from '../../ui/sortable.tsx';
import { complain } from '../../ui/toaster.tsx';
import { Section } from './section.tsx';

const say = words.settings;
const kinds: readonly ColumnKind[] = ['backlog', 'todo', 'in_progress', 'done', 'custom'];

export function ColumnSettings({ projectId }: { projectId: string }) {
  const act = useAct();
  const columns = useQuery(columnsOf, projectId);
  return (
    <Section title={say.sections.columns}>
      <SortableLines
        lines={columns}
        onMove={(id, index) => void act(editColumn, id, { position: positionAt(columns, id, index) })}
      >
        <ul className="settings-rows">
          {columns.map((column) => (
            <ColumnLine key={column.id} column={column} />
          ))}
        </ul>
      </SortableLines>
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
  const { line, moving, grip } = useSortableLine(column.id);
  const name = useSavedField(column.name, (text) => {
    if (text !== '') void act(editColumn, column.id, { name: text });
    return null;
  });
  const limit = useSavedField(column.wip_limit === null ? '' : String(column.wip_limit), (text) => {
    const number = text === '' ? null : Number(text);
    const wrong = number !== null && (!Number.isInteger(number) || number < 1 || number > 1_000_000);
    if (wrong) return say.columnWipWrong;
    void act(editColumn, column.id, { wip_limit: number });
    return null;
  });

  function remove(): void {
    if (store.count('tasks', 'column_id', column.id) > 0) complain(say.removeColumn(column.name), say.columnNotEmpty);
    else void act(removeColumn, column.id);
  }

  return (
    <li {...line} className={`settings-row ${moving ? 'check-moving' : ''}`}>
      {grip(say.moveColumn(column.name))}
      <KindMark kind={column.kind} color={column.color} />
      <TextField label={say.columnName} bare maxLength={100} {...name.field} />
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
        error={limit.fault}
        {...limit.field}
      />
      <IconButton label={say.removeColumn(column.name)} onClick={remove}>
        <Trash2 size={15} />
      </IconButton>
    </li>
  );
}
