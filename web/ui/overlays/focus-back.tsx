// Gives the focus back in the same moment in which an overlay goes, not in a later turn: a key that is pressed right after
// Escape means what had the focus before, and an overlay that opens with that key is not taken for left.

import { useEffect, useState } from 'react';

/** Whether nothing has the focus. */
export const nobodyHasFocus = (): boolean => (document.activeElement ?? document.body) === document.body;

/** Stands in an overlay; without `to`, whatever had the focus when it opened gets it back. */
export function FocusBack({ to }: { to?: HTMLElement | undefined }): null {
  const [opener] = useState(() => document.activeElement);
  const back = to ?? opener;
  useEffect(() => {
    if (!(back instanceof HTMLElement)) return;
    return () => {
      if (nobodyHasFocus() && back.isConnected) back.focus({ preventScroll: true });
    };
  }, [back]);
  return null;
}
