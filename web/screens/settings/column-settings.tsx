// The columns of the board: name, kind, limit, order.

import { Plus, Trash2 } from 'lucide-react';
import { Link } from 'wouter';
import { addColumn, editColumn, positionAt, removeColumn, useAct } from '../../commands.ts';
import { KindMark } from '../../pieces/task-badges.tsx';
import { type ColumnKind, type ColumnRow, columnsOf, useQuery, useReader } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import { useSavedField } from '../../ui/fields/draft.ts';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import sortableStyles from '../../ui/lists/sortable.module.css';
import { SortableLines, useSortableLine } from '../../ui/lists/sortable.tsx';
import { showError } from '../../ui/overlays/toaster.tsx';
import { Section } from './section.tsx';
import styles from './settings.module.css';

const kinds: readonly ColumnKind[] = ['backlog', 'todo', 'in_progress', 'done', 'custom'];

export function ColumnSettings({ projectId }: { projectId: string }) {
  const act = useAct();
  const columns = useQuery(columnsOf, projectId);
  return (
    <Section title={t('common.columns')}>
      <SortableLines
        lines={columns}
        onMove={(id, index) => void act(editColumn, id, { position: positionAt(columns, id, index) })}
      >
        <ul className={`${shapes.stackS3} ${styles.settingsRows}`}>
          {columns.map((column) => (
            <ColumnLine key={column.id} column={column} />
          ))}
        </ul>
      </SortableLines>
      <div>
        <Button icon={<Plus size={16} />} onClick={() => void act(addColumn, projectId, t('settings.newColumn'))}>
          {t('settings.addColumn')}
        </Button>
      </div>
      <p className={styles.toArchive}>
        <Link href={paths.archiveOf(projectId)}>{t('settings.toArchive')}</Link>
      </p>
    </Section>
  );
}

function ColumnLine({ column }: { column: ColumnRow }) {
  const act = useAct();
  const store = useReader();
  const { line, moving, grip } = useSortableLine(column.id);
  const name = useSavedField(column.name, (text) => {
    if (text !== '') void act(editColumn, column.id, { name: text });
    return null;
  });
  const limit = useSavedField(column.wip_limit === null ? '' : String(column.wip_limit), (text) => {
    const number = text === '' ? null : Number(text);
    const wrong = number !== null && (!Number.isInteger(number) || number < 1 || number > 1_000_000);
    if (wrong) return t('settings.columnWipWrong');
    void act(editColumn, column.id, { wip_limit: number });
    return null;
  });

  function remove(): void {
    if (store.count('tasks', 'column_id', column.id) > 0)
      showError(t('settings.removeColumn', { name: column.name }), t('settings.columnNotEmpty'));
    else void act(removeColumn, column.id);
  }

  return (
    <li
      {...line}
      className={`${shapes.stackS3} ${shapes.holder} ${shapes.level} ${shapes.roundM} ${styles.settingsRow} ${moving ? sortableStyles.checkMoving : ''}`}
    >
      {grip(t('settings.moveColumn', { name: column.name }))}
      <KindMark kind={column.kind} color={column.color} />
      <TextField label={t('settings.columnName')} bare {...limitTo(100)} {...name.field} />
      <SelectField
        label={t('common.kind')}
        bare
        value={column.kind}
        choices={kinds.map((kind) => ({ value: kind, label: t(`common.kinds.${kind}`) }))}
        onPick={(kind) => void act(editColumn, column.id, { kind })}
      />
      <TextField
        label={t('common.wipLimit')}
        bare
        inputMode="numeric"
        placeholder={t('common.wipLimit')}
        error={limit.fault}
        {...limit.field}
      />
      <IconButton label={t('settings.removeColumn', { name: column.name })} onClick={remove}>
        <Trash2 size={15} />
      </IconButton>
    </li>
  );
}
