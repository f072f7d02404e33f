// Tabs that have no room in their row: measured as the row, the tabs or their names change.

import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** In rem, for the button with the rest. */
const moreWidth = 6;

interface Room {
  /** Around the tabs, which are told by `data-view-tab`. */
  readonly room: RefObject<HTMLDivElement | null>;
  /** The open one, where it would have no room otherwise: it stands first. */
  readonly ahead: string;
  readonly hidden: readonly string[];
}

export function useRoomFor(ids: readonly string[], opened: string): Room {
  const room = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState('');
  const named = ids.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: other tabs are measured anew
  useLayoutEffect(() => {
    const around = room.current;
    if (around === null) return;
    const measure = (): void => setSaid(withoutRoom(around, opened).join(' '));
    const observer = new ResizeObserver(measure);
    for (const one of [around, ...tabsIn(around)]) observer.observe(one);
    measure();
    return () => observer.disconnect();
  }, [named, opened]);
  const [ahead = '', ...hidden] = said.split(' ');
  return { room, ahead, hidden };
}

const tabsIn = (around: HTMLElement): HTMLElement[] => [...around.querySelectorAll<HTMLElement>('[data-view-tab]')];
const idOf = (tab: HTMLElement): string => tab.dataset.viewTab ?? '';

/** The one to stand ahead, if any, and those without room. */
function withoutRoom(around: HTMLElement, opened: string): readonly string[] {
  const tabs = tabsIn(around);
  const widthOf = (some: readonly HTMLElement[]): number => some.reduce((sum, tab) => sum + tab.offsetWidth, 0);
  if (widthOf(tabs) <= around.clientWidth) return [''];
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const width = around.clientWidth - moreWidth * rem;
  const beyond = (some: readonly HTMLElement[]): string[] =>
    some.filter((_, at) => widthOf(some.slice(0, at + 1)) > width).map(idOf);
  const rest = beyond(tabs);
  if (!rest.includes(opened)) return ['', ...rest];
  const openFirst = [...tabs].sort((one, other) => Number(idOf(other) === opened) - Number(idOf(one) === opened));
  return [opened, ...beyond(openFirst).filter((id) => id !== opened)];
}
