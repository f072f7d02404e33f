// Keys typed between asking for an overlay and its field standing there: nothing on the page acts on them, and the field
// gets them in the order they were pressed.

import { useEffect, useLayoutEffect } from 'react';

/** Taken up while the overlay is on its way; undefined while nothing is. */
let held: KeyboardEvent[] | undefined;
/** Whether the page itself does something at a key with Control or another such. */
let isOurs: IsOurs = () => false;
/** An overlay that never comes must not keep the keys. */
let giveUp: ReturnType<typeof setTimeout> | undefined;
const longest = 10_000;
/** A second, on most screens. */
const longestFrames = 60;

type IsOurs = (event: KeyboardEvent) => boolean;

/** Said once, by the one who listens to the keys of the page. */
export function nameOwnKeys(ours: IsOurs): void {
  isOurs = ours;
}

function take(event: KeyboardEvent): void {
  // Keys that a program makes are the replayed ones.
  if (!event.isTrusted || held === undefined) return;
  event.stopImmediatePropagation();
  // The browser's own shortcuts stay the browser's.
  if (isChord(event) && !isOurs(event)) return;
  event.preventDefault();
  if (!event.isComposing) held.push(event);
}

const isChord = (event: KeyboardEvent): boolean => event.ctrlKey || event.metaKey || event.altKey;

/** From now on keys wait. */
export function bufferKeys(): void {
  letGoIn(longest);
  if (held !== undefined) return;
  held = [];
  window.addEventListener('keydown', take, true);
}

/** Nothing comes that could take them. */
export function dropBufferedKeys(): void {
  letGo();
}

function letGoIn(ms: number): void {
  clearTimeout(giveUp);
  giveUp = setTimeout(letGo, ms);
}

function letGo(): void {
  clearTimeout(giveUp);
  held = undefined;
  window.removeEventListener('keydown', take, true);
}

/** Stands in the place of an overlay while it is fetched: keys wait for it, and are the page's again where it does not come. */
export function HoldKeys(): null {
  useLayoutEffect(() => {
    bufferKeys();
    // What takes its place stands there in the same turn, and keeps the keys.
    return () => letGoIn(0);
  }, []);
  return null;
}

/** Stands in an overlay: once its field has the focus, the keys go there. */
export function ReplayKeys(): null {
  useLayoutEffect(() => {
    if (held !== undefined) letGoIn(longest);
  }, []);
  useEffect(() => {
    const timer = setTimeout(replayKeys);
    return () => clearTimeout(timer);
  }, []);
  return null;
}

/** What has the focus now gets what was typed; keys typed meanwhile queue behind it. */
export async function replayKeys(): Promise<void> {
  for (let event = held?.shift(); event !== undefined; event = held?.shift()) {
    letGoIn(longest);
    const target = await whoHasFocus();
    if (!(target instanceof HTMLElement)) break;
    const passed = target.dispatchEvent(
      new KeyboardEvent('keydown', {
        key: event.key,
        code: event.code,
        shiftKey: event.shiftKey,
        ctrlKey: event.ctrlKey,
        metaKey: event.metaKey,
        altKey: event.altKey,
        bubbles: true,
        cancelable: true,
      }),
    );
    if (passed && !isChord(event)) typeInto(target, event.key);
    // A list under the field follows what was typed before the next key means something in it.
    await new Promise(requestAnimationFrame);
  }
  letGo();
}

/** A field that is just being replaced by another leaves the focus to nobody for some frames. */
async function whoHasFocus(): Promise<Element | null> {
  for (let frames = 0; frames < longestFrames && document.activeElement === document.body; frames++)
    await new Promise(requestAnimationFrame);
  return document.activeElement;
}

function typeInto(field: HTMLElement, key: string): void {
  if (field.isContentEditable && [...key].length === 1) {
    // The one way that an editor hears of as of a person's typing.
    document.execCommand('insertText', false, key);
    return;
  }
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  const end = field.selectionEnd ?? field.value.length;
  // What is selected is replaced.
  const start = field.selectionStart ?? end;
  if (key === 'Backspace') field.setRangeText('', start < end ? start : Math.max(0, end - 1), end, 'end');
  else if ([...key].length === 1) field.setRangeText(key, start, end, 'end');
  else return;
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: key }));
}
