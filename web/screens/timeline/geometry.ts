// Geometry of the chart: pixels of days and lines, and the visible part.

import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Span } from '../../queries/views/spans.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import { useRem } from '../../ui/use-rem.ts';
import { useDensity } from '../project/display/density.tsx';
import type { Line } from './lines.ts';
import { dayWidths, type Range, type Zoom } from './scale.ts';

export interface Geometry extends Range {
  readonly zoom: Zoom;
  /** How wide a day is. */
  readonly px: number;
  readonly line: number;
  /** Where in a line a bar begins, and how high it is. */
  readonly barTop: number;
  readonly bar: number;
  /** What stands beside the days. */
  readonly side: number;
}

/** How wide the titles are, in pixels where letters have their usual size; a program may have written anything. */
export const sideWidths = { least: 224, usual: 352, most: 960 };
export function fitSide(said: unknown): number {
  const { least, usual, most } = sideWidths;
  return typeof said === 'number' ? Math.round(Math.min(Math.max(said, least), most)) : usual;
}

/** `side`: what the view says of it. */
export function useGeometry(zoom: Zoom, { first, last }: Range, side: unknown): Geometry {
  const rem = useRem();
  const narrow = useNarrow();
  const compact = useDensity() === 'compact';
  return useMemo(() => {
    const line = (narrow ? 3.25 : compact ? 1.875 : 2.25) * rem;
    const bar = (compact && !narrow ? 1.25 : 1.5) * rem;
    return {
      zoom,
      first,
      last,
      px: dayWidths[zoom] * rem,
      line,
      bar,
      barTop: narrow ? 1.5 * rem : (line - bar) / 2,
      side: narrow ? 0 : (fitSide(side) / 16) * rem,
    };
  }, [zoom, first, last, rem, narrow, compact, side]);
}

/** From the left edge of the days. */
export function leftOf(geo: Geometry, day: number): number {
  return (Math.min(Math.max(day, geo.first), geo.last + 1) - geo.first) * geo.px;
}

/** What lies on one day is a diamond where days are narrow. */
export function isPoint(geo: Geometry, { from, to }: Span): boolean {
  return from === to && geo.px < geo.bar / 2;
}

export interface Box {
  readonly left: number;
  readonly width: number;
}

const least = 6;

export function boxOf(geo: Geometry, span: Span): Box {
  const left = leftOf(geo, span.from);
  const width = leftOf(geo, span.to + 1) - left;
  if (!isPoint(geo, span)) return { left: left + 1, width: Math.max(width - 2, least) };
  const side = geo.bar * 0.7;
  return { left: left + (width - side) / 2, width: side };
}

export interface Shown {
  readonly fromLine: number;
  readonly toLine: number;
  readonly fromDay: number;
  readonly toDay: number;
}

/** So many lines come and go at once. */
const linesAtOnce = 6;

/** A little more than can be seen, in steps: most scrolling draws nothing new. */
function seen(frame: HTMLElement, geo: Geometry): Shown {
  const { scrollTop, scrollLeft, clientHeight, clientWidth } = frame;
  const [top, bottom] = [scrollTop / geo.line, (scrollTop + clientHeight) / geo.line];
  const days = Math.max(7, Math.ceil(clientWidth / geo.px / 2));
  const at = Math.floor(scrollLeft / geo.px / days) * days;
  return {
    fromLine: (Math.floor(top / linesAtOnce) - 1) * linesAtOnce,
    toLine: (Math.ceil(bottom / linesAtOnce) + 1) * linesAtOnce,
    fromDay: Math.max(geo.first, geo.first + at - days),
    toDay: Math.min(geo.last, geo.first + at + 4 * days),
  };
}

export interface Scrolling {
  readonly shown: Shown;
  /** Brings a day to where one looks. */
  goTo(day: number): void;
  /** And what lies on it: the line nearest to it. */
  goToWork(day: number): void;
}

/** What can be seen, and the day in the middle, which stays there when days become wider or others are added before. */
export function useScrolling(
  frame: RefObject<HTMLElement | null>,
  geo: Geometry,
  begin: number,
  drawn: boolean,
  lines: readonly Line[],
): Scrolling {
  const [shown, setShown] = useState<Shown>({ fromLine: 0, toLine: 0, fromDay: begin, toDay: begin });
  const middle = useRef<number | null>(null);
  /** Somebody has scrolled or pressed here: from then on nothing moves by itself. */
  const taken = useRef(false);
  const latest = useLatest(geo);
  const latestLines = useLatest(lines);
  const look = useCallback((): void => {
    const room = frame.current;
    if (room === null) return;
    const { first, px, side } = latest.current;
    middle.current = first + (room.scrollLeft + (room.clientWidth - side) / 2) / px;
    const next = seen(room, latest.current);
    setShown((old) => ((Object.keys(next) as (keyof Shown)[]).every((part) => old[part] === next[part]) ? old : next));
  }, [frame, latest]);
  const centre = useCallback(
    (day: number): void => {
      const room = frame.current;
      if (room === null) return;
      const { first, px, side } = latest.current;
      room.scrollLeft = (day - first) * px - (room.clientWidth - side) / 2;
    },
    [frame, latest],
  );
  const goTo = useCallback(
    (day: number): void => {
      const room = frame.current;
      if (room === null) return;
      const { px, side } = latest.current;
      // What comes after a day is looked at more than what was before.
      centre(day + (0.25 * (room.clientWidth - side)) / px);
      look();
    },
    [frame, latest, centre, look],
  );
  const goToWork = useCallback(
    (day: number): void => {
      const room = frame.current;
      const at = nearestTo(latestLines.current, day);
      const { line } = latest.current;
      const seen =
        room !== null && at * line >= room.scrollTop && (at + 3) * line <= room.scrollTop + room.clientHeight;
      // Two lines of what was before stay in sight.
      if (room !== null && !seen) room.scrollTop = (at - 2) * line;
      goTo(day);
    },
    [frame, latest, latestLines, goTo],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: where a day is follows from the geometry
  useLayoutEffect(() => {
    if (!drawn) return;
    // Rows come one after the other; what is on the day is looked at until somebody looks elsewhere.
    if (middle.current === null || !taken.current) goToWork(begin);
    else centre(middle.current);
    look();
  }, [geo, drawn, lines]);
  useEffect(() => {
    const room = frame.current;
    if (room === null || !drawn) return;
    const take = (): void => {
      taken.current = true;
    };
    const hands = ['wheel', 'pointerdown', 'keydown', 'focusin'] as const;
    for (const hand of hands) room.addEventListener(hand, take, { passive: true });
    room.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(room);
    return () => {
      for (const hand of hands) room.removeEventListener(hand, take);
      room.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [frame, look, drawn]);
  // The same ones always, since every line has them.
  const asked = useMemo(() => {
    const taking = (go: (day: number) => void) => (day: number) => {
      taken.current = true;
      go(day);
    };
    return { goTo: taking(goTo), goToWork: taking(goToWork) };
  }, [goTo, goToWork]);
  return useMemo(() => ({ shown, ...asked }), [shown, asked]);
}

/** The place of the first line that lies on the day, or of the one that comes nearest to it. */
function nearestTo(lines: readonly Line[], day: number): number {
  let [place, least] = [0, Number.POSITIVE_INFINITY];
  lines.forEach((line, at) => {
    if (line.kind === 'head') return;
    const far = Math.max(line.span.from - day, day - line.span.to, 0);
    if (far < least) [place, least] = [at, far];
  });
  return place;
}
