// Keys typed between asking for an overlay or a screen and its standing there: nothing on the page acts on them, and what comes gets them in the
// order they were pressed (replay-key.ts).

import { useEffect, useLayoutEffect } from 'react';
import { isEditable, replayKey } from './replay-key.ts';

/** Taken up while something is on its way; undefined while nothing is. */
let held: KeyboardEvent[] | undefined;
/** Places of overlays and of screens that are on their way. */
const placeholders = { overlay: 0, screen: 0 };
/** Something was asked for whose place is not drawn yet, or which has come and takes the keys in a moment. */
let isAwaited = false;
let isReplaying = false;
let failures = 0;
/** Whether the page itself does something at a key with Control or another such. */
let isOurs: IsOurs = () => false;
/** What never comes must not keep the keys. */
let giveUp: ReturnType<typeof setTimeout> | undefined;
const longest = 10_000;
/** Then they go to whatever is there: one may want to leave. */
const longestForScreen = 30_000;
/** A second, on most screens. */
const longestFrames = 60;

type IsOurs = (event: KeyboardEvent) => boolean;

/** Of screens, and of parts of them: what was asked for at another count has failed since. */
export const countFailures = (): number => failures;

/** Said once, by the one who listens to the keys of the page. */
export function nameOwnKeys(ours: IsOurs): void {
  isOurs = ours;
}

function take(event: KeyboardEvent): void {
  // Keys that a program makes are the replayed ones.
  if (!event.isTrusted || held === undefined) return;
  // Beside a screen that is on its way one goes on writing.
  const waitsForScreenOnly = !isAwaited && !isReplaying && placeholders.overlay === 0 && held.length === 0;
  if (waitsForScreenOnly && isEditable(event.target)) return;
  event.stopImmediatePropagation();
  // The browser's own keys stay the browser's; with Enter a field sends what stands in it.
  if (isBrowsers(event)) return;
  event.preventDefault();
  if (!event.isComposing && !modifiers.has(event.key)) held.push(event);
}

const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock']);
const isBrowsers = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey || event.altKey || /^F\d/.test(event.key)) && event.key !== 'Enter' && !isOurs(event);

function hold(): void {
  if (held !== undefined) return;
  held = [];
  window.addEventListener('keydown', take, true);
}

/** From now on keys wait for what was asked for, so many milliseconds at most. */
export function bufferKeys(most = longest): void {
  isAwaited = true;
  letGoIn(most);
  hold();
}

/** As the first of them: it means something once the answer is there, and whoever waits for that calls `replayKeys`, or `dropKeys`. */
export function bufferKeysFrom(event: KeyboardEvent): void {
  bufferKeys();
  held?.unshift(event);
}

function letGoIn(ms: number): void {
  clearTimeout(giveUp);
  // A screen that is on its way may bring what was asked for.
  giveUp = setTimeout(() => (ms > 0 && placeholders.screen > 0 ? letGoIn(ms) : dropKeys()), ms);
}

export function dropKeys(): void {
  clearTimeout(giveUp);
  isAwaited = false;
  if (held === undefined) return;
  held.length = 0;
  stopHolding();
}

/** Unless something else is on its way. */
function stopHolding(): void {
  if (isWaiting()) return;
  held = undefined;
  window.removeEventListener('keydown', take, true);
}

const isWaiting = (): boolean => isAwaited || placeholders.overlay + placeholders.screen > 0;

/** Stands in the place of an overlay while it is fetched: keys wait for it, and are the page's again where it does not come. */
export function HoldKeys(): null {
  useLayoutEffect(() => {
    placeholders.overlay++;
    isAwaited = false;
    // However long it takes: as long as it is on its way, it comes or fails.
    clearTimeout(giveUp);
    hold();
    return () => {
      placeholders.overlay--;
      isAwaited = true;
      // What takes its place stands there in the same turn, and keeps the keys.
      letGoIn(0);
    };
  }, []);
  return null;
}

/** Stands in the place of a screen, or of a part of it that keys mean: they are for what comes instead, whatever it is. */
export function HoldKeysForScreen(): null {
  useLayoutEffect(() => {
    placeholders.screen++;
    hold();
    let isHolding = true;
    const leave = (): void => {
      clearTimeout(timer);
      if (!isHolding) return;
      isHolding = false;
      placeholders.screen--;
      // Its own effects come first.
      setTimeout(() => isWaiting() || void replay());
    };
    const timer = setTimeout(leave, longestForScreen);
    return leave;
  }, []);
  return null;
}

/** Stands where it says that a screen, or a part of one, did not come: keys typed for that mean nothing to what is there. */
export function DropKeys(): null {
  useLayoutEffect(() => {
    failures++;
    dropKeys();
  }, []);
  return null;
}

/** Stands in an overlay: once its field has the focus, the keys go there. */
export function ReplayKeys(): null {
  useLayoutEffect(() => {
    if (held === undefined) return;
    isAwaited = true;
    letGoIn(longest);
  }, []);
  useEffect(() => {
    const timer = setTimeout(replayKeys);
    return () => clearTimeout(timer);
  }, []);
  return null;
}

/** What has the focus now gets what was typed; keys typed meanwhile queue behind it. */
export function replayKeys(): void {
  clearTimeout(giveUp);
  isAwaited = false;
  void replay();
}

async function replay(): Promise<void> {
  if (isReplaying) return;
  isReplaying = true;
  // One of them may ask for something that takes the rest.
  while (held !== undefined && held.length > 0 && !isWaiting()) {
    const target = await whoHasFocus();
    const event = isWaiting() ? undefined : held?.shift();
    if (event === undefined) continue;
    replayKey(target, event);
    // A list under the field follows what was typed before the next key means something in it.
    await new Promise(requestAnimationFrame);
  }
  isReplaying = false;
  stopHolding();
}

/** A field that is just being replaced by another leaves the focus to nobody for some frames. */
async function whoHasFocus(): Promise<Element> {
  for (let frames = 0; frames < longestFrames && document.activeElement === document.body; frames++)
    await new Promise(requestAnimationFrame);
  return document.activeElement ?? document.body;
}
