// Columns of the table to choose from: ticked to be shown, and moved by their grips with mouse, finger or keys.

import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SortableLines, useSortableLine } from '../../ui/lists/sortable.tsx';
import styles from './column-choice.module.css';
import { isTitle, type Table, type TableColumn } from './columns.ts';

export function ColumnChoice({ table }: { table: Table }) {
  const { columns, others, chosen } = table;
  const ids = columns.map(({ id }) => id);
  return (
    <fieldset className={styles.choice}>
      <legend>{t('common.columns')}</legend>
      <div className={shapes.stackS2}>
        <SortableLines lines={columns} onMove={table.move}>
          <ul aria-label={t('table.shown')}>
            {columns.map((column) => (
              <ShownLine
                key={column.id}
                column={column}
                onHide={() => table.choose(ids.filter((id) => id !== column.id))}
              />
            ))}
          </ul>
        </SortableLines>
        {others.length > 0 && (
          <ul aria-label={t('table.hidden')} className={`${shapes.ruledAbove} ${styles.others}`}>
            {others.map(({ id, name }) => (
              <li key={id} className={`${shapes.rowS3} ${styles.line}`}>
                <Box name={name} checked={false} onChange={() => table.choose([...ids, id])} />
              </li>
            ))}
          </ul>
        )}
        {chosen && (
          <Button look="quiet" onClick={table.reset}>
            {t('common.reset')}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

function ShownLine({ column, onHide }: { column: TableColumn; onHide: () => void }) {
  const { id, name } = column;
  const { line, moving, grip } = useSortableLine(id);
  return (
    <li {...line} className={`${shapes.rowS3} ${styles.line} ${moving ? styles.moving : ''}`}>
      {grip(t('table.move', { column: name }))}
      {/* A row is known by its title. */}
      <Box name={name} checked disabled={isTitle(column)} onChange={onHide} />
    </li>
  );
}

interface BoxProps {
  readonly name: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: () => void;
}

function Box({ name, ...box }: BoxProps) {
  return (
    <label className={`${shapes.rowS3} ${shapes.fill} ${shapes.control}`}>
      <input type="checkbox" {...box} />
      <span className={shapes.words}>{name}</span>
    </label>
  );
}
