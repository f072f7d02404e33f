// Cells of the table as in a spreadsheet: cursor, marked range, editing, and what keys, clipboard and mouse do. The cursor is the focus itself;
// outside of cells the focus is on rows, where keys act on the task.

import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { setCells, useAct } from '../../commands.ts';
import { readOneDay } from '../../queries/days/read-one-day.ts';
import { useToday } from '../../queries/days/today.ts';
import { rightsOn, type TaskRow, useReader, useUserId } from '../../queries.ts';
import { latinKey } from '../../ui/latin-key.ts';
import { focusOnceDrawn } from '../../ui/lists/focus-once-drawn.ts';
import { useLatest } from '../../ui/use-latest.ts';
import {
  type Anchored,
  anchor,
  between,
  isOne,
  ledTo,
  marksIn,
  type Place,
  placed,
  type Range,
  rangeOf,
  rowBeyond,
  tabbedTo,
  tasksIn,
} from './cell-places.ts';
import type { TableColumn } from './columns.ts';
import { readTsv, writeTsv } from './tsv.ts';
import type { ListRowsState } from './use-list-rows.ts';
import { type CellFault, layOver, type Target, writeCells } from './write-cells.ts';

export interface Editing {
  /** The line, which may move meanwhile, and the column. */
  readonly key: string;
  readonly column: string;
  /** What was typed to begin with; null: what is there is edited. */
  readonly start: string | null;
}

/** Where the cursor goes after editing; `stay`: the focus is elsewhere already. */
export type Step = 'down' | 'up' | 'right' | 'left' | 'stay' | null;

export interface Cells {
  readonly editing: Editing | null;
  /** The column with the cursor, or -1. */
  readonly cursorColumn: number;
  marksOf(row: number, key: string): string;
  /** Ends editing: null forgets what was typed. Answers what is wrong with it. */
  finish(task: TaskRow, column: TableColumn, text: string | null, step: Step): string | null;
  stop(): void;
  /** From a row into its cells, the first or that of a column. True: there is one. */
  enter(row: number, column?: string): boolean;
  /** True: the key meant something here. */
  press(event: KeyboardEvent): boolean;
  readonly handlers: {
    onCopy(event: ClipboardEvent): void;
    onCut(event: ClipboardEvent): void;
    onPaste(event: ClipboardEvent): void;
    onMouseDown(event: MouseEvent): void;
    onClick(event: MouseEvent): void;
  };
}

interface CellsProps {
  readonly rows: ListRowsState;
  readonly columns: readonly TableColumn[];
  readonly canWrite: boolean;
  /** Of several projects some may only be looked at. */
  readonly mayChange: (task: TaskRow) => boolean;
  readonly onFaults: (faults: readonly CellFault[], missing: number) => void;
}

export function useCells(props: CellsProps): Cells {
  const { rows, columns, canWrite, mayChange } = props;
  const maySet = useMaySet();
  const store = useReader();
  const act = useAct();
  const today = useToday();
  const [editing, setEditing] = useState<Editing | null>(null);
  const cursor = useCursor(rows, columns);
  const { marked, go, items } = cursor;
  const clipboard = useClipboard(props, cursor);

  function edit(start: string | null): void {
    const item = items()[marked?.to.row ?? -1];
    const column = columns[marked?.to.col ?? -1];
    if (!canWrite || item?.kind !== 'task' || column === undefined || !column.property.writes) return;
    if (!mayChange(item.task) || !maySet(item.task, column)) return;
    const { next, picked } = column.property;
    const turned = next?.(store, item.task);
    if (turned === undefined) setEditing({ key: item.key, column: column.id, start: picked ? null : start });
    else if ('cell' in turned) void act(setCells, [{ taskId: item.task.id, cell: turned.cell }]);
  }

  function press(event: KeyboardEvent): boolean {
    const at = event.nativeEvent.isComposing ? null : cursor.placeOf(event.target);
    if (at === null || !(event.target as Element).matches('[data-col]')) return false;
    const { key } = event;
    const last = columns.length - 1;
    const to = event.altKey ? null : ledTo(event, at, items(), last);
    if (to !== null) {
      // Out of the first cell one is in the row.
      if (key === 'ArrowLeft' && at.col === 0 && !event.shiftKey) cursor.leave(at.row);
      else go(to, event.shiftKey);
      return true;
    }
    if (key === 'Tab') {
      const next = tabbedTo(event.shiftKey, at, items(), last);
      if (next) go(next);
      return next !== null;
    }
    if (key === 'Escape') {
      if (marked && !isOne(marked)) go(at);
      else cursor.leave(at.row);
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if (latinKey(event.nativeEvent).toLowerCase() !== 'a' || event.altKey) return false;
      cursor.markAll();
      return true;
    }
    if (key === 'Enter' || key === 'F2') edit(null);
    else if (key === 'Delete' || key === 'Backspace') clipboard.empty();
    else if ([...key].length === 1) edit(key === ' ' ? null : key);
    else return false;
    return true;
  }

  function finish(task: TaskRow, column: TableColumn, text: string | null, step: Step): string | null {
    if (text !== null) {
      const read = column.property.read(store, task, text, (typed) => readOneDay(typed, today));
      if ('fault' in read) return read.fault;
      if (text.trim() !== column.property.say(store, task)) void act(setCells, [{ taskId: task.id, cell: read.cell }]);
    }
    setEditing(null);
    const at = marked?.to;
    if (at === undefined || step === 'stay') return null;
    const tabbed = step === 'left' || step === 'right';
    if (tabbed) go(tabbedTo(step === 'left', at, items(), columns.length - 1) ?? at);
    else go({ row: step === null ? at.row : rowBeyond(items(), at.row, step === 'down' ? 1 : -1), col: at.col });
    return null;
  }
  const latest = useLatest(finish);

  return {
    editing,
    cursorColumn: marked?.to.col ?? -1,
    marksOf: (row, key) => marksIn(marked, row, key),
    // The same one for as long as the table is there: otherwise every row in sight would be drawn again with each step of scrolling.
    finish: useCallback((...given) => latest.current(...given), [latest]),
    stop: () => setEditing(null),
    enter(row, column) {
      if (items()[row]?.kind !== 'task' || columns.length === 0) return false;
      const col = columns.findIndex(({ id }) => id === column);
      go({ row, col: Math.max(0, col) });
      return true;
    },
    press(event) {
      const meant = press(event);
      // Letters are for the cell here, not for the task.
      if (meant) event.preventDefault();
      return meant;
    },
    handlers: { ...clipboard.handlers, ...useMouse(cursor, () => edit(null)) },
  };
}

type Cursor = ReturnType<typeof useCursor>;

/** The cell with the focus, and the range that is marked from where it began. */
function useCursor(rows: ListRowsState, columns: readonly TableColumn[]) {
  const [range, setRange] = useState<Anchored | null>(null);
  const live = useLatest(columns);
  const { frame } = rows;
  const items = () => rows.live.current.items;
  const marked = useMemo(() => placed(range, rows.items, columns), [range, rows.items, columns]);
  const mark = (from: Place, to: Place): void => setRange(anchor(from, to, items(), live.current));

  function focusCell({ row, col }: Place): void {
    rows.live.current.virtualizer.scrollToIndex(row, { align: 'auto' });
    const id = live.current[col]?.id ?? '';
    focusOnceDrawn(
      () => frame.current?.querySelector(`[data-row="${row}"] [data-col="${id}"]`),
      (there) => {
        // News that had the focus gives it back to where it was before, not to where it is wanted.
        if (document.activeElement !== there) there.focus({ preventScroll: true });
        there.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      },
    );
  }

  function placeOf(target: EventTarget | null): Place | null {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[data-col]') : null;
    const row = cell?.closest<HTMLElement>('[data-row]')?.dataset.row;
    const col = columns.findIndex(({ id }) => id === cell?.dataset.col);
    return row === undefined || col < 0 ? null : { row: Number(row), col };
  }

  /** The cell that had the focus last, with its line; null: something else was focused beside it. */
  const held = useRef<{ readonly cell: Element; readonly line: string }>(null);
  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent): void => {
      const cell = target instanceof Element && frame.current?.contains(target) ? target.closest('[data-col]') : null;
      const row = cell?.closest<HTMLElement>('[data-row]')?.dataset.row;
      if (cell && row !== undefined) held.current = { cell, line: rows.live.current.items[Number(row)]?.key ?? '' };
      // Where the cell is gone, the focus was only passed on.
      else if (held.current?.cell.isConnected) held.current = null;
    };
    document.addEventListener('focusin', onFocusIn);
    return () => document.removeEventListener('focusin', onFocusIn);
  }, [frame, rows.live]);

  // A task that comes into another group is drawn anew there, and the focus goes along if its cell had it.
  const drawn = useRef({ range, line: '' });
  useEffect(() => {
    const before = drawn.current.range === range ? drawn.current.line : range?.to.line.key;
    const line = marked === null ? '' : (rows.items[marked.to.row]?.key ?? '');
    drawn.current = { range, line };
    if (marked === null || before === line) return;
    const isTyping = document.activeElement?.matches('input:not([type="checkbox"]), textarea') === true;
    if (!isTyping && held.current?.line === before) focusCell(marked.to);
  });

  return {
    marked,
    items,
    placeOf,
    go(to: Place, extend = false): void {
      setRange((old) => {
        const before = extend ? placed(old, items(), live.current) : null;
        return anchor(before?.from ?? to, to, items(), live.current);
      });
      focusCell(to);
    },
    mark,
    markAll(): void {
      const end = { row: rowBeyond(items(), items().length, -1), col: columns.length - 1 };
      mark({ row: rowBeyond(items(), -1, 1), col: 0 }, end);
    },
    /** Back to the row: keys mean the task again. */
    leave(row: number): void {
      setRange(null);
      rows.focusRow(row);
    },
    /** What is marked, where a cell itself has the focus: what is in a field is the field's. */
    range(): Range | null {
      const focused = document.activeElement;
      const isMine = focused?.matches('[data-col]') === true && frame.current?.contains(focused) === true;
      const now = isMine ? placed(range, items(), columns) : null;
      return now === null ? null : rangeOf(now, items(), columns);
    },
  };
}

/** Guests assign nobody. */
function useMaySet(): (task: TaskRow, column: TableColumn) => boolean {
  const store = useReader();
  const userId = useUserId();
  return (task, { id }) => id !== 'assignee' || rightsOn.read(store, task.id, userId).writes;
}

/** Cells leave and come as lines with tabs, which every spreadsheet reads and writes. */
function useClipboard({ columns, canWrite, mayChange, onFaults }: CellsProps, { range, items, mark }: Cursor) {
  const maySet = useMaySet();
  const store = useReader();
  const act = useAct();
  const today = useToday();

  function write(targets: readonly Target[], missing = 0): void {
    const { writes, faults } = writeCells(
      store,
      targets.filter(({ task, column }) => mayChange(task) && maySet(task, column)),
      today,
    );
    if (writes.length > 0) void act(setCells, writes);
    onFaults(faults, missing);
  }

  function empty(): void {
    const some = canWrite ? range() : null;
    if (some === null) return;
    const writable = some.columns.filter(({ property }) => property.writes);
    write(some.tasks.flatMap((task) => writable.map((column) => ({ task, column, text: '' }))));
  }

  function copy(event: ClipboardEvent): boolean {
    const some = range();
    if (some === null) return false;
    const text = some.tasks.map((task) => some.columns.map((column) => column.property.say(store, task)));
    event.clipboardData.setData('text/plain', writeTsv(text));
    event.preventDefault();
    return true;
  }

  function paste(event: ClipboardEvent): void {
    const some = canWrite ? range() : null;
    const text = event.clipboardData.getData('text/plain');
    if (some === null || text === '') return;
    event.preventDefault();
    const cells = readTsv(text);
    const { row, col } = some.first;
    const width = Math.max(...cells.map((line) => line.length));
    const isOneCell = cells.length === 1 && width === 1;
    const below = isOneCell ? some.tasks : tasksIn(items().slice(row));
    const missing = Math.max(0, cells.length - below.length) + Math.max(0, col + width - columns.length);
    const size = { height: some.tasks.length, width: some.columns.length };
    const targets = layOver(cells, below, columns.slice(col), size);
    if (!isOneCell) {
      const end = { row: rowBeyond(items(), row, cells.length - 1), col: between(col + width - 1, columns.length - 1) };
      // Before the list is sorted by what was pasted.
      mark(end, some.first);
    }
    write(targets, missing);
  }

  return {
    empty,
    handlers: {
      onCopy: (event: ClipboardEvent) => void copy(event),
      onCut(event: ClipboardEvent) {
        if (copy(event)) empty();
      },
      onPaste: paste,
    },
  };
}

/** A press puts the cursor into a cell, another one edits it; what stands in the cell to be pressed does as it always did. */
function useMouse({ placeOf, go }: Cursor, edit: () => void) {
  const wasHere = useRef(false);
  const isOther = (event: MouseEvent): boolean =>
    event.button !== 0 || (event.target as Element).closest('button, a, input, textarea') !== null;
  return {
    onMouseDown(event: MouseEvent) {
      const at = isOther(event) ? null : placeOf(event.target);
      if (at === null) return;
      wasHere.current = (event.target as Element).closest('[data-col]') === document.activeElement;
      // The focus is put by us, and no words are marked on the way.
      event.preventDefault();
      go(at, event.shiftKey);
    },
    onClick(event: MouseEvent) {
      if (!isOther(event) && wasHere.current && placeOf(event.target) !== null && !event.shiftKey) edit();
      wasHere.current = false;
    },
  };
}
