// Focus for a line of a list that may not be drawn yet: at once where it is, so that the next key is for it already.

import { nobodyHasFocus } from '../overlays/restore-focus.tsx';

/** Lines that were far away are drawn a frame or two later. */
const frames = 10;

/** Focuses what `find` finds; later only as long as the focus has gone nowhere else. */
export function focusOnceDrawn(find: () => HTMLElement | null | undefined, then?: (there: HTMLElement) => void): void {
  const before = document.activeElement;
  const reach = (tries: number): void => {
    const there = find();
    if (there) {
      there.focus({ preventScroll: true });
      then?.(there);
    } else if (tries > 0)
      requestAnimationFrame(() => {
        if (nobodyHasFocus() || document.activeElement === before) reach(tries - 1);
      });
  };
  reach(frames);
}
