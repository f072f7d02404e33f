// Place of a selection in a text that took the place of another: on the same words, as far as they are still there.

import { wordDifferenceOf } from './difference.ts';

export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export function keptSelection(before: string, { start, end }: Stretch, after: string): Stretch {
  if (before.trim() === '') return { start: after.length, end: after.length };
  let [at, to] = [0, 0];
  let kept: Stretch | undefined;
  // Of what is gone: where the words stand that took its place.
  let place = after.length;
  for (const { of, text } of wordDifferenceOf(before, after)) {
    const [from, till] = [Math.max(start, at), Math.min(end, at + text.length)];
    if (of === 'both' && (from < till || (from === till && start === end && kept === undefined)))
      kept = { start: kept?.start ?? to + from - at, end: to + till - at };
    if (of === 'one' && start >= at && start < Math.min(at + text.length, before.length)) place = to;
    if (of !== 'other') at += text.length;
    if (of !== 'one') to += text.length;
  }
  const found = kept ?? nearest(before.slice(start, end), after, place);
  return { start: Math.min(found.start, after.length), end: Math.min(found.end, after.length) };
}

function nearest(words: string, text: string, place: number): Stretch {
  if (words.trim() === '') return { start: place, end: place };
  const [left, right] = [text.lastIndexOf(words, place), text.indexOf(words, place)];
  const start = left < 0 || (right >= 0 && right - place < place - left) ? right : left;
  return start < 0 ? { start: place, end: place } : { start, end: start + words.length };
}
