// Finds targets too small for a finger: under 44 pixels each way, drawn or not. A link within a sentence may be as high as its line.

import type { Page } from 'playwright-core';

/** What is smaller in a part of the page, by its name and how it is drawn. */
export function tooSmall(page: Page, room: string): Promise<string[]> {
  return page.evaluate((room) => {
    const found = new Set<string>();
    /** From the middle of it; the last pixels may be a line between two. */
    const reach = 20;
    const controls =
      'a[href],button,input,select,textarea,summary,[role="option"],[role="menuitem"],[role="tab"],[role="radio"],[role="checkbox"]';
    for (const one of document.querySelectorAll<HTMLElement>(`${room} :is(${controls})`)) {
      const isSeen = one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      if (!isSeen || one.closest('[inert],[aria-hidden="true"],.skip') || getComputedStyle(one).display === 'inline')
        continue;
      one.scrollIntoView({ block: 'center', inline: 'center' });
      const { left, top, width, height } = one.getBoundingClientRect();
      if (width < 3 || (width >= 43.5 && height >= 43.5)) continue;
      const [x, y] = [left + width / 2, top + height / 2];
      const isHit = (right: number, down: number): boolean => {
        const at = document.elementFromPoint(x + right, y + down);
        // Beyond the edge of the window there is nothing else to press.
        if (at === null) return true;
        const label = at.closest('label');
        return one.contains(at) || (label !== null && (label.control === one || label.contains(one)));
      };
      // What lies under something else is not pressed now.
      if (!isHit(0, 0)) continue;
      if (isHit(0, -reach) && isHit(0, reach) && isHit(-reach, 0) && isHit(reach, 0)) continue;
      found.add(`${one.getAttribute('aria-label') ?? one.textContent}: ${Math.round(width)} × ${Math.round(height)}`);
    }
    return [...found];
  }, room);
}
