// Going from task to task by the arrows, where they stand below each other.

import type { KeyboardEvent } from 'react';
import { latinKey } from '../../ui/latin-key.ts';

/** From task to task, over the heads of groups. */
export function goByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[latinKey(event)];
  if (step === undefined || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return;
  const links = [...document.querySelectorAll<HTMLElement>('main [data-task-id]')];
  const next = links[links.indexOf(event.currentTarget) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
