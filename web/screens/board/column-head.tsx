// The head of a column: its name, how many tasks it has and should have at most, and what can be done with the column in place.

import {
  ArrowDownWideNarrow,
  ArrowLeft,
  ArrowRight,
  ChevronsLeftRight,
  ChevronsRightLeft,
  Ellipsis,
  Palette,
  Pencil,
  Plus,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { SortKey } from '../../../contract/views.ts';
import { editColumn, positionAt, sortColumn, useAct } from '../../commands.ts';
import { KindMark } from '../../pieces/task-badges.tsx';
import { type ColumnRow, columnsOf, useQuery } from '../../queries.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import fieldStyles from '../../ui/fields/field.module.css';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { SwatchField } from '../../ui/fields/swatch-field.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import styles from './board.module.css';
import { CardCount } from './card-count.tsx';

const sortings: readonly SortKey[] = ['priority', 'due_date', 'title', 'number'];

interface HeadProps {
  readonly column: ColumnRow;
  readonly total: number;
  /** How many the filters leave. */
  readonly shown: number;
  readonly canWrite: boolean;
  readonly onAdd: () => void;
  readonly onCollapse: () => void;
}

export function ColumnHead({ column, total, shown, canWrite, onAdd, onCollapse }: HeadProps) {
  const [changing, setChanging] = useState<'name' | 'colour' | null>(null);
  const head = useRef<HTMLElement>(null);
  return (
    <header className={`${shapes.rowS3} ${styles.columnHead}`} ref={head}>
      <KindMark kind={column.kind} color={column.color} />
      {changing === 'name' ? (
        <NameField column={column} onDone={() => setChanging(null)} />
      ) : (
        <h2 className={shapes.cut} title={column.name} onDoubleClick={() => canWrite && setChanging('name')}>
          {column.name}
        </h2>
      )}
      <CardCount limit={column.wip_limit} total={total} shown={shown} />
      {canWrite && (
        <span className={`${shapes.tools} ${styles.columnTools}`}>
          <IconButton label={t('board.addTo', { column: column.name })} className={styles.columnPlus} onClick={onAdd}>
            <Plus size={16} />
          </IconButton>
          <ColumnMenu column={column} onChange={setChanging} onCollapse={onCollapse} />
        </span>
      )}
      {changing === 'colour' && head.current !== null && (
        <Colours column={column} there={head.current} onDone={() => setChanging(null)} />
      )}
    </header>
  );
}

/** Enter and leaving keep what was typed; Escape does not. */
function NameField({ column, onDone }: { column: ColumnRow; onDone: () => void }) {
  const act = useAct();
  const field = useRef<HTMLInputElement>(null);
  const finished = useRef(false);
  useEffect(() => field.current?.select(), []);
  function finish(keep: boolean): void {
    if (finished.current) return;
    finished.current = true;
    const name = field.current?.value.trim() ?? '';
    if (keep && name !== '' && name !== column.name) void act(editColumn, column.id, { name });
    onDone();
  }
  return (
    <input
      ref={field}
      className={`${fieldStyles.input} ${styles.columnName}`}
      aria-label={t('settings.columnName')}
      defaultValue={column.name}
      {...limitTo(100)}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(true);
        if (event.key === 'Escape') {
          event.stopPropagation();
          finish(false);
        }
      }}
    />
  );
}

function Colours({ column, there, onDone }: { column: ColumnRow; there: HTMLElement; onDone: () => void }) {
  const act = useAct();
  const set = (color: string | null): void => {
    void act(editColumn, column.id, { color });
    onDone();
  };
  const label = t('common.colour');
  return (
    <Popover trigger={{ there }} label={label} open onOpenChange={(is) => !is && onDone()}>
      <div className={`${shapes.stackS3} ${shapes.padS3} ${styles.columnColours}`}>
        <SwatchField label={label} value={column.color} onPick={set} />
        <Button look="quiet" onClick={() => set(null)}>
          {t('board.columnDo.noColour')}
        </Button>
      </div>
    </Popover>
  );
}

interface ColumnMenuProps {
  readonly column: ColumnRow;
  readonly onChange: (what: 'name' | 'colour') => void;
  readonly onCollapse: () => void;
}

function ColumnMenu({ column, onChange, onCollapse }: ColumnMenuProps) {
  const act = useAct();
  const columns = useQuery(columnsOf, column.project_id);
  const at = columns.findIndex((one) => one.id === column.id);
  const moveTo = (index: number) => () =>
    void act(editColumn, column.id, { position: positionAt(columns, column.id, index) });
  // What has a field of its own opens once the menu is gone, which would take the focus from it.
  const picked = useRef<'name' | 'colour' | null>(null);
  const later = (what: 'name' | 'colour') => (): void => {
    picked.current = what;
  };
  const items: readonly MenuItem[] = [
    { id: 'name', label: t('common.rename'), icon: <Pencil size={15} />, onPick: later('name') },
    { id: 'colour', label: t('common.colour'), icon: <Palette size={15} />, onPick: later('colour') },
    {
      id: 'collapse',
      label: t('board.columnDo.collapse'),
      icon: <ChevronsRightLeft size={15} />,
      onPick: onCollapse,
    },
    {
      id: 'left',
      label: t('board.columnDo.left'),
      icon: <ArrowLeft size={15} />,
      apart: true,
      disabled: at <= 0,
      onPick: moveTo(at - 1),
    },
    {
      id: 'right',
      label: t('board.columnDo.right'),
      icon: <ArrowRight size={15} />,
      disabled: at === columns.length - 1,
      onPick: moveTo(at + 1),
    },
    ...sortings.map((sorting, place) => ({
      id: sorting,
      label: t('board.columnDo.sort', { by: sorting }),
      icon: <ArrowDownWideNarrow size={15} />,
      apart: place === 0,
      onPick: () => void act(sortColumn, column.id, sorting),
    })),
  ];
  const label = t('board.columnMenu', { column: column.name });
  return (
    <Menu
      label={label}
      items={items}
      onClosed={() => {
        const what = picked.current;
        picked.current = null;
        if (what !== null) onChange(what);
        return what !== null;
      }}
      trigger={
        <IconButton label={label} className={styles.columnPlus}>
          <Ellipsis size={16} />
        </IconButton>
      }
    />
  );
}

/** What is left of a column that is collapsed. */
export function CollapsedColumn({
  name,
  mark,
  total,
  onExpand,
}: {
  name: string;
  mark: ReactNode;
  total: number;
  onExpand: () => void;
}) {
  return (
    <button
      type="button"
      className={`${shapes.column} ${shapes.press} ${shapes.soft} ${shapes.level} ${styles.collapsed}`}
      aria-label={`${t('board.expand', { column: name })}, ${sayNumber(total)}`}
      title={t('board.expand', { column: name })}
      onClick={onExpand}
    >
      <ChevronsLeftRight size={15} aria-hidden="true" />
      {mark}
      <span className={`${shapes.cut} ${shapes.bold} ${styles.collapsedName}`}>{name}</span>{' '}
      <span className={`${shapes.quietS} ${shapes.chip} ${styles.columnCount} numbers`}>{sayNumber(total)}</span>
    </button>
  );
}
