// An edge in the hand of a mouse or a finger: the line goes along, and what it is the edge of becomes wider when it is let go.

import { type PointerEvent, useState } from 'react';

/** What the line hears; it has to say `touch-action: none`. `onWiden`: by so many pixels of the screen. */
export function useEdgeDrag(onWiden: (by: number) => void) {
  const [from, setFrom] = useState<{ readonly x: number; readonly by: number } | null>(null);
  return {
    style: from ? { transform: `translateX(${from.by}px)` } : undefined,
    'data-held': from !== null || undefined,
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      setFrom({ x: event.clientX, by: 0 });
    },
    onPointerMove(event: PointerEvent) {
      if (from !== null) setFrom({ x: from.x, by: event.clientX - from.x });
    },
    onPointerUp(event: PointerEvent) {
      if (from === null) return;
      setFrom(null);
      if (event.clientX !== from.x) onWiden(event.clientX - from.x);
    },
    onPointerCancel: () => setFrom(null),
  };
}
