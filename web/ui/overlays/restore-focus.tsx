// Gives the focus back in the same moment in which an overlay goes, not in a later turn: a key that is pressed right after
// Escape means what had the focus before, and an overlay that opens with that key is not taken for left.

import { useEffect, useState } from 'react';
import { useLatest } from '../use-latest.ts';

/** Whether nothing has the focus. */
export const nobodyHasFocus = (): boolean => (document.activeElement ?? document.body) === document.body;

interface FocusBackProps {
  readonly to?: HTMLElement | undefined;
  /** What happens next, with the focus back. */
  readonly then?: (() => void) | undefined;
}

/** Stands in an overlay; without `to`, whatever had the focus when it opened gets it back. */
export function RestoreFocus({ to, then }: FocusBackProps): null {
  const [opener] = useState(() => document.activeElement);
  const back = to ?? opener;
  const next = useLatest(then);
  useEffect(() => {
    if (!(back instanceof HTMLElement)) return;
    const give = (): void => {
      if (nobodyHasFocus() && back.isConnected) back.focus({ preventScroll: true });
    };
    return () => {
      give();
      // A press beside the overlay, with which it goes, takes the focus once more.
      setTimeout(give);
    };
  }, [back]);
  useEffect(() => () => next.current?.(), [next]);
  return null;
}
