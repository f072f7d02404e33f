// Guesses the kind of a state or list from its name: products leave names free, in their teams' languages.

import type { Priority, StateKind } from './neutral.ts';

const words: readonly (readonly [StateKind, RegExp])[] = [
  [
    'done',
    /\b(done|closed?|completed?|resolved|finished|shipped|released|merged|cancell?ed|duplicate|won'?t (do|fix)|erledigt|fertig|abgeschlossen|geschlossen|gelöst|abgebrochen)\b/iu,
  ],
  ['backlog', /\b(backlog|icebox|ideas?|someday|later|triage|ideen|irgendwann|später)\b/iu],
  [
    'in_progress',
    /\b(in progress|doing|started|working|in work|in review|review|testing|qa|in arbeit|in bearbeitung|läuft|prüfung)\b/iu,
  ],
  [
    'todo',
    /\b(to[ -]?do|open(ed)?|new|next|ready|planned|unstarted|selected for development|offen|neu|zu tun|geplant)\b/iu,
  ],
];

export function kindOfState(name: string): StateKind {
  return words.find(([, pattern]) => pattern.test(name))?.[0] ?? 'custom';
}

/** Three steps here: what is above high, what is high, and the rest. */
export function priorityOf(value: string): Priority {
  const word = value.trim().toLowerCase();
  if (/^(p0|urgent|highest|critical|blocker|emergency|dringend|kritisch|höchste)\b/u.test(word)) return 'p0';
  if (/^(p1|high|major|important|hoch|wichtig)\b/u.test(word)) return 'p1';
  return 'p2';
}
