// Line that has, or would have, the focus. Its element may exist only once it is drawn.

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useLatest } from '../../ui/use-latest.ts';
import type { Geometry } from './geometry.ts';
import type { Line } from './lines.ts';

export interface LineFocus {
  /** The place of the line that is a stop; -1: there is none. */
  readonly at: number;
  /** Gives the focus to a line, wherever it is. */
  go(index: number): void;
  /** For what gets the focus by itself. */
  onFocus(event: { readonly target: EventTarget }): void;
}

export function useLineFocus(frame: RefObject<HTMLElement | null>, lines: readonly Line[], geo: Geometry): LineFocus {
  const [key, setKey] = useState<string | null>(null);
  const wanted = useRef<string | null>(null);
  const latest = useLatest({ lines, geo });
  /** Where it was: what is finished, or filtered away, leaves its place to the next line. */
  const [last, setLast] = useState(0);
  const found = key === null ? -1 : lines.findIndex((line) => line.key === key);
  const at = found < 0 ? Math.min(last, lines.length - 1) : found;
  if (found >= 0 && found !== last) setLast(found);

  useEffect(() => {
    if (wanted.current === null) return;
    const index = latest.current.lines.findIndex((line) => line.key === wanted.current);
    const stop = frame.current?.querySelector<HTMLElement>(
      `[data-line="${index}"] [data-task-id], [data-line="${index}"] [data-group]`,
    );
    if (!stop) return;
    wanted.current = null;
    stop.focus();
  });

  const go = useCallback(
    (index: number): void => {
      const { lines: all, geo: now } = latest.current;
      const line = all[Math.min(Math.max(index, 0), all.length - 1)];
      const room = frame.current;
      if (line === undefined || room === null) return;
      const top = all.indexOf(line) * now.line;
      const head = room.querySelector('[data-scale]')?.clientHeight ?? 0;
      if (top < room.scrollTop) room.scrollTop = top;
      else if (top + now.line > room.scrollTop + room.clientHeight - head)
        room.scrollTop = top + now.line - room.clientHeight + head;
      wanted.current = line.key;
      setKey(line.key);
      // Where it was the stop already nothing is drawn again.
      room
        .querySelector<HTMLElement>(`[data-line="${all.indexOf(line)}"]`)
        ?.querySelector<HTMLElement>('[data-task-id], [data-group]')
        ?.focus();
    },
    [frame, latest],
  );
  // What had the focus is gone, and left it to nobody.
  useEffect(() => {
    if (key !== null && found < 0 && document.activeElement === document.body) go(at);
  }, [key, found, at, go]);
  const onFocus = useCallback(
    ({ target }: { readonly target: EventTarget }): void => {
      const index = (target as HTMLElement).closest<HTMLElement>('[data-line]')?.dataset.line;
      const line = index === undefined ? undefined : latest.current.lines[Number(index)];
      if (line === undefined) return;
      wanted.current = null;
      setKey(line.key);
    },
    [latest],
  );
  return { at, go, onFocus };
}
