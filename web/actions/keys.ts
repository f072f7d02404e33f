// Keys to actions: one listener for the page. Two-key sequences wait a moment for their second key.

import { latinKey } from '../ui/latin-key.ts';
import { nameOwnKeys } from '../ui/overlays/buffered-keys.ts';
import { isEditable } from '../ui/overlays/replay-key.ts';
import type { Action } from './registry.tsx';
import { offeredActions } from './registry.tsx';

const sequenceTimeout = 1200;

/** "mod+shift+z", "c", "?"; what a shortcut is written as. */
export function chordOf(
  event: Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey'> & { readonly code?: string },
): string {
  const names: Record<string, string> = {
    ' ': 'space',
    ArrowUp: 'up',
    ArrowDown: 'down',
    ArrowLeft: 'left',
    ArrowRight: 'right',
  };
  const key = names[event.key] ?? latinKey(event).toLowerCase();
  const letter = /^[a-z]$/.test(key) || key.length > 1;
  return [
    event.metaKey || event.ctrlKey ? 'mod' : '',
    event.altKey ? 'alt' : '',
    event.shiftKey && letter ? 'shift' : '',
    key,
  ]
    .filter(Boolean)
    .join('+');
}

/** Space presses a button, a box or a tab that has the focus. */
function pressesIt(event: KeyboardEvent): boolean {
  return (
    event.key === ' ' &&
    event.target instanceof Element &&
    event.target.closest('button,input,summary,[role="tab"]') !== null
  );
}

/** A dialog, a menu or a list of choices has the keys to itself: nothing happens behind it. */
function isTaken(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"],[role="menu"],[role="listbox"]') !== null;
}

function find(actions: readonly Action[], keys: string, typing: boolean): Action | undefined {
  return actions.find(
    (action) => !action.listedOnly && action.keys?.split('|').includes(keys) && (!typing || action.whileTyping),
  );
}

/** Whether something is done at it here, as things are. */
const isOffered = (event: KeyboardEvent): boolean =>
  find(offeredActions(), chordOf(event), isEditable(event.target)) !== undefined;

export function listenToKeys(page: Document): () => void {
  nameOwnKeys(isOffered);
  let first = '';
  let firstAt = 0;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || event.repeat || isTaken(event.target) || pressesIt(event))
      return;
    if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
    const chord = chordOf(event);
    const typing = isEditable(event.target);
    const offered = offeredActions();
    const sequence = first !== '' && event.timeStamp - firstAt < sequenceTimeout ? `${first} ${chord}` : '';
    first = '';
    const action = (sequence && find(offered, sequence, typing)) || find(offered, chord, typing);
    if (action) {
      event.preventDefault();
      action.effect();
      return;
    }
    if (!typing && offered.some((one) => one.keys?.split('|').some((keys) => keys.startsWith(`${chord} `)))) {
      first = chord;
      firstAt = event.timeStamp;
    }
  };
  page.addEventListener('keydown', onKeyDown);
  return () => page.removeEventListener('keydown', onKeyDown);
}
