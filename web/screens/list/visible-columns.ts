// Columns of the table that its rows draw: the visible ones and a few beside them. Heads and foot have all of them, and so has the width of
// a row; a cell tells its column by its place.

import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { isTitle, type Table, type TableColumn } from './columns.ts';

/** So many more on either side: the next one stands before anybody sees its place empty. */
const reserve = 2;

interface VisibleRange {
  readonly first: number;
  readonly last: number;
}

/** Where columns begin and the last one ends, as if nothing were scrolled; and how much of the left the title covers. */
interface Edges {
  readonly at: readonly number[];
  readonly covered: number;
}

/** The title stays while the rest scrolls; and who goes from button to button by Tab comes to those out of sight too. */
const stays = ({ field }: TableColumn): boolean => field === undefined;

/** The places of what is drawn. `cursor`: a column that is drawn wherever it is. */
export function useVisibleColumns(
  frame: RefObject<HTMLElement | null>,
  { columns, chosen }: Table,
  cursor: number,
): readonly number[] {
  const [range, setRange] = useState<VisibleRange>({ first: 0, last: 0 });
  const edges = useRef<Edges>({ at: [], covered: 0 });

  const look = useCallback((): void => {
    const room = frame.current;
    if (room === null) return;
    room.toggleAttribute('data-aside', room.scrollLeft !== 0);
    const { at, covered } = edges.current;
    const from = room.scrollLeft + covered;
    const to = room.scrollLeft + room.clientWidth;
    const first = at.findIndex((_, place) => (at[place + 1] ?? 0) > from);
    const last = at.findLastIndex((edge, place) => place + 1 < at.length && edge < to);
    setRange((old) => {
      const enough = old.first <= first && last <= old.last;
      const tooMany = old.last - old.first > last - first + 4 * reserve;
      return enough && !tooMany ? old : { first: first - reserve, last: last + reserve };
    });
  }, [frame]);

  const measure = useCallback((): void => {
    const heads = [...(frame.current?.querySelectorAll<HTMLElement>('[data-head]') ?? [])];
    const check = (heads[0]?.previousElementSibling as HTMLElement | null)?.offsetWidth ?? 0;
    const at = [check];
    for (const head of heads) at.push((at.at(-1) ?? 0) + head.offsetWidth);
    const title = heads[columns.findIndex(isTitle)];
    edges.current = { at, covered: check + (title?.offsetWidth ?? 0) };
    look();
  }, [frame, columns, look]);

  useLayoutEffect(() => {
    if (chosen) measure();
  }, [chosen, measure]);

  useEffect(() => {
    const room = frame.current;
    if (!chosen || room === null) return;
    let left = room.scrollLeft;
    const onScroll = (): void => {
      if (room.scrollLeft === left) return;
      left = room.scrollLeft;
      look();
    };
    const watch = new ResizeObserver(measure);
    watch.observe(room);
    // Before the rows of the new place are made: asked after that, where we are would have all of them laid out at once.
    room.addEventListener('scroll', onScroll, { passive: true, capture: true });
    return () => {
      watch.disconnect();
      room.removeEventListener('scroll', onScroll, { capture: true });
    };
  }, [frame, chosen, look, measure]);

  const { first, last } = range;
  return useMemo(() => {
    const isDrawn = (column: TableColumn, at: number): boolean =>
      !chosen || stays(column) || at === cursor || (at >= first && at <= last);
    return columns.flatMap((column, at) => (isDrawn(column, at) ? [at] : []));
  }, [columns, chosen, cursor, first, last]);
}
