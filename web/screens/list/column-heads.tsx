// The heads of the columns: a press sorts by one, its edge makes it wider, dragging it puts it elsewhere. By keys, Alt with an arrow makes
// the column in focus wider or narrower, and with Shift as well puts it elsewhere.

import { ArrowDownWideNarrow, ArrowUpNarrowWide } from 'lucide-react';
import { type KeyboardEvent, memo, type PointerEvent, type RefObject, useState } from 'react';
import { isFieldProperty } from '../../../contract/field-properties.ts';
import { type Sorting, type SortKey, sortable, type View } from '../../../contract/views.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { announce } from '../../ui/announcer.tsx';
import { useEdgeDrag, usePointerDrag } from '../../ui/use-pointer-drag.ts';
import type { ViewHandle } from '../project/view-handle.ts';
import { cellClass } from './cells.tsx';
import type { Table, TableColumn } from './columns.ts';
import styles from './list.module.css';
import tableStyles from './table.module.css';

interface HeadsProps {
  readonly sort: View['sort'];
  readonly onSort: ViewHandle['set'];
  readonly table: Table;
  readonly frame: RefObject<HTMLDivElement | null>;
}

const step = 16;
/** So far a press is one that sorts. */
const slack = 5;

/** As wide as they are drawn, in the pixels of letters of usual size: so they stay when somebody chooses one of them. */
function drawnWidths(frame: HTMLElement | null, rem: number): Record<string, number> {
  const heads = frame?.querySelectorAll<HTMLElement>('[data-head]') ?? [];
  return Object.fromEntries([...heads].map((head) => [head.dataset.head ?? '', (head.offsetWidth / rem) * 16]));
}

const remOf = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/* biome-ignore-start lint/a11y/useSemanticElements: rows come and go while scrolling; a table element could not be laid out so */
/* biome-ignore-start lint/a11y/useFocusableInteractive: heads are not stops, the buttons in them are */

export const ColumnHeads = memo(function ColumnHeads({ sort, onSort, table, frame }: HeadsProps) {
  const { columns, chosen, plain } = table;
  const [landing, setLanding] = useState<number | null>(null);
  const widen = (id: string, by: number): void => {
    const drawn = drawnWidths(frame.current, remOf());
    table.resize({ ...(chosen ? {} : drawn), [id]: (drawn[id] ?? 0) + by });
  };
  function onKeyDown(event: KeyboardEvent, column: TableColumn, at: number): void {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined || !event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.shiftKey) {
      widen(column.id, by * step);
      return;
    }
    const place = Math.min(Math.max(at + by, 0), columns.length - 1);
    table.move(column.id, place);
    announce(t('table.movedTo', { column: column.name, place: place + 1, of: columns.length }));
    requestAnimationFrame(() =>
      frame.current?.querySelector<HTMLElement>(`[data-head="${column.id}"] button`)?.focus(),
    );
  }
  return (
    <div
      role="row"
      className={`${styles.row} ${shapes.quietS} ${shapes.surface} ${styles.listHead} ${chosen ? tableStyles.row : ''}`}
      aria-rowindex={1}
    >
      <div
        role="columnheader"
        aria-colindex={1}
        className={`${styles.cell} ${chosen ? tableStyles.check : styles.cellCheck}`}
      >
        <span className="only-spoken">{t('list.columns.select')}</span>
      </div>
      {columns.map((column, at) => (
        <Head
          key={column.id}
          column={column}
          at={at}
          sort={sort}
          onSort={onSort}
          chosen={chosen}
          plain={plain}
          landing={landing === at ? 'before' : landing === at + 1 && at + 1 === columns.length ? 'after' : undefined}
          frame={frame}
          onKeyDown={(event) => onKeyDown(event, column, at)}
          onWiden={(by) => widen(column.id, by)}
          onDragOver={setLanding}
          onDrop={(place) => {
            setLanding(null);
            const to = place > at ? place - 1 : place;
            if (to !== at) table.move(column.id, to);
          }}
        />
      ))}
    </div>
  );
});

interface HeadProps {
  readonly column: TableColumn;
  readonly at: number;
  readonly sort: View['sort'];
  readonly onSort: ViewHandle['set'];
  readonly chosen: boolean;
  /** The order that is so without a word. */
  readonly plain: Table['plain'];
  /** What is carried would stand here. */
  readonly landing: 'before' | 'after' | undefined;
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onWiden: (by: number) => void;
  /** Over which place it is carried: null over none. */
  readonly onDragOver: (place: number | null) => void;
  readonly onDrop: (place: number) => void;
}

/** Columns of several projects stand in no order. */
const sortOf = ({ id }: TableColumn, plain: Table['plain']): SortKey | undefined =>
  isFieldProperty(id) ? id : sortable.find((one) => one === id && (one !== 'column' || one === plain));

/** In `plain` order there is nothing to say. */
const sorted = (by: SortKey, descending: boolean, plain: SortKey): readonly Sorting[] =>
  by === plain && !descending ? [] : [{ by, descending }];

/** The same one again turns the order round. */
function Head(props: HeadProps) {
  const { column, at, sort, onSort, chosen, plain, landing, frame, onKeyDown, onWiden, onDragOver, onDrop } = props;
  const by = sortOf(column, plain);
  const bare = !chosen && (column.id === 'priority' || column.id === 'assignee');
  const [first] = sort;
  const now = (sort.length > 0 ? sort : [{ by: plain, descending: false }]).find((one) => one.by === by);
  const current = now !== undefined;
  const Arrow = now?.descending ? ArrowUpNarrowWide : ArrowDownWideNarrow;
  const drag = useColumnDrag({ frame, at, onDragOver, onDrop });
  return (
    <div
      role="columnheader"
      aria-colindex={at + 2}
      data-head={column.id}
      data-landing={landing}
      className={`${cellClass(column, chosen)} ${shapes.holder} ${tableStyles.head}`}
      aria-sort={current && by === (first?.by ?? plain) ? (now.descending ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className={styles.headButton}
        title={by ? t('table.sortBy', { column: column.name }) : column.name}
        aria-keyshortcuts="Alt+ArrowRight Alt+Shift+ArrowRight"
        onPointerDown={drag}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          if (!by) return;
          const turned = { by, descending: now?.descending === false };
          // With Shift it is one more that decides, after those there are.
          if (!event.shiftKey || sort.length === 0) onSort({ sort: sorted(by, turned.descending, plain) });
          else if (now) onSort({ sort: sort.map((one) => (one === now ? turned : one)) });
          else onSort({ sort: [...sort, turned].slice(0, 5) });
        }}
      >
        <span className={bare ? 'only-spoken' : shapes.words}>{column.name}</span>
        {(current || bare) && by && <Arrow size={13} aria-hidden="true" className={current ? '' : styles.cellGhost} />}
      </button>
      <Edge onWiden={onWiden} />
    </div>
  );
}

/* biome-ignore-end lint/a11y/useFocusableInteractive: as above */
/* biome-ignore-end lint/a11y/useSemanticElements: as above */

/** The line between two heads: for a hand; keys do the same on the head itself. */
function Edge({ onWiden }: { onWiden: (by: number) => void }) {
  const held = useEdgeDrag((by) => onWiden((by / remOf()) * 16));
  return <span className={`${shapes.over} ${tableStyles.edge}`} aria-hidden="true" data-edge {...held} />;
}

/** Drags a head over the places of others. A finger scrolls; it has the list of columns. */
function useColumnDrag({ frame, at, onDragOver, onDrop }: Pick<HeadProps, 'frame' | 'at' | 'onDragOver' | 'onDrop'>) {
  const drag = usePointerDrag({ slack });
  function placeAt(x: number): number {
    const heads = [...(frame.current?.querySelectorAll<HTMLElement>('[data-head]') ?? [])];
    const found = heads.findIndex((head) => {
      const { left, width } = head.getBoundingClientRect();
      return x < left + width / 2;
    });
    return found < 0 ? heads.length : found;
  }
  return (press: PointerEvent): void => {
    if (press.pointerType === 'touch' || press.button !== 0) return;
    press.currentTarget.setPointerCapture(press.pointerId);
    drag.start(press, {
      move(x) {
        const over = placeAt(x);
        onDragOver(over === at || over === at + 1 ? null : over);
      },
      drop: (x) => onDrop(placeAt(x)),
      end: () => onDragOver(null),
    });
  };
}
