// Sequences of keys that a fast person could press, drawn from a seed: phrases as on a board, in a list, beside an open task and in the inbox.
// Left out is what depends on time: search for text that only the server finds, deleting (sent seconds later) and drags by keys.

export interface Step {
  /** As `page.keyboard.press` names a key; or, behind `text:`, letters. */
  readonly press: string;
  /** Milliseconds until the next key; within letters between each two. */
  readonly pause: number;
  /** A second key of a sequence comes soon, also for who waits otherwise. */
  readonly goesOn: boolean;
}

export interface Sequence {
  readonly start: 'board' | 'list' | 'inbox' | 'my-tasks';
  readonly steps: readonly Step[];
}

export type Random = (below: number) => number;

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

type Place = 'board' | 'list' | 'inbox' | 'my-tasks' | 'task' | 'inbox-task';
type Phrase = readonly [keys: readonly string[], leadsTo?: Place];

const words = ['rope', 'exhume', 'crate', 'lamp x', 'sail', 'jackdaw', 'peel', 'mud'];

/** What of its properties a task gets by keys; the focus stays with it. */
function ofTask(one: <T>(some: readonly T[]) => T): Phrase[] {
  return [
    [['p', `text:${one(['crit', 'high', 'low'])}`, 'Enter']],
    [['l', `text:${one(['urg', 'idea'])}`, 'Enter', 'Escape']],
    [['a', 'text:bob', 'Enter', 'Escape']],
    [['a', 'Escape']],
    [['d', `text:${one(['tom', 'fri', '3d', '24.12.'])}`, 'Enter']],
    [['s', `text:${one(['in pro', 'done'])}`, 'Enter']],
    [['m']],
    [['w']],
    [['.', `text:${one(['watch', 'assign me'])}`, 'Escape']],
  ];
}

function everywhere(one: <T>(some: readonly T[]) => T): Phrase[] {
  return [
    [['/', 'text:theme dark', 'Enter']],
    [[one(['/', 'Control+k']), `text:${one(words)}`, 'Escape']],
    [['?', 'Escape']],
    [['n', `text:${one(words)}`, 'Escape']],
    [['g i'], 'inbox'],
    [['g m'], 'my-tasks'],
  ];
}

const line = (one: <T>(some: readonly T[]) => T): string =>
  `text:${one(words)}${one(['', ' !high', ' #urgent', ' @bob', ' ^tom', ' due fri'])}`;

function phrasesAt(place: Place, one: <T>(some: readonly T[]) => T): Phrase[] {
  const common = everywhere(one);
  const arrow = (...some: readonly string[]): Phrase => [[one(some), ...one([[], ['ArrowDown']])]];
  switch (place) {
    case 'board':
      return [
        ...ofTask(one),
        ...common,
        arrow('ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft'),
        arrow('ArrowDown', 'ArrowUp'),
        [['Enter'], 'task'],
        [['Enter'], 'task'],
        [['Enter', 'r', line(one), 'Control+Enter'], 'task'],
        [['c', line(one), 'Enter', 'Escape']],
        [['c', line(one), 'Enter', line(one), 'Enter', 'Enter']],
        [['e']],
        [['x', 'p', 'text:high', 'Enter', 'Escape']],
        [['f', 'text:prio', 'Enter', 'text:med', 'Enter', 'Escape', 'Escape']],
        [['g l', 'ArrowDown'], 'list'],
        [['/', 'text:prio crit', 'Enter']],
      ];
    case 'list':
      return [
        ...ofTask(one),
        ...common,
        arrow('ArrowDown', 'ArrowUp', 'j', 'k'),
        [['c', line(one), 'Enter', 'Escape']],
        [['c', line(one), 'Enter', 'Enter', 'p', 'text:crit', 'Enter']],
        [['e', line(one), 'Enter', ...one([[], ['j']])]],
        [['e', line(one), 'Enter', 'c', line(one), 'Enter', 'Escape']],
        [['x', 'j', 'x', 'm', 'Escape']],
        [['Enter'], 'task'],
        [['g b', 'ArrowDown'], 'board'],
        [
          [
            'f',
            'text:prio',
            'Enter',
            'text:med',
            'Enter',
            'Escape',
            'Escape',
            '/',
            'text:save view',
            'Enter',
            line(one),
            'Enter',
          ],
        ],
      ];
    case 'my-tasks':
      return [...common, [['g i', 'j'], 'inbox'], [['/', 'text:inbox', 'Enter', 'j'], 'inbox']];
    case 'inbox':
      return [
        ...common,
        arrow('j', 'k'),
        arrow('j'),
        [['u']],
        [['e']],
        [['x', 'j', 'x', 'e']],
        [['j', 'Enter', 'r', line(one), 'Control+Enter', 'Escape']],
        [['j', 'r', line(one), 'Control+Enter', 'e']],
        [['j', 'Enter'], 'inbox-task'],
        [['Enter'], 'inbox-task'],
        [['h', 'ArrowDown', 'Enter']],
      ];
    case 'task':
      return [
        ...ofTask(one),
        [['r', line(one), 'Control+Enter']],
        [['r', line(one), 'Escape']],
        [['j']],
        [['Escape'], 'board'],
        [['Escape'], 'board'],
        [['/', 'text:theme dark', 'Enter']],
      ];
    case 'inbox-task':
      return [
        ...ofTask(one),
        [['r', line(one), 'Control+Enter']],
        [['j']],
        [['k']],
        [['e']],
        [['j', 'r', line(one), 'Control+Enter']],
        [['Escape'], 'inbox'],
      ];
  }
}

const pauseAfter = (press: string, random: Random): number => 30 + random(press.startsWith('text:') ? 90 : 270);

export function drawSequence(random: Random, phrases: number): Sequence {
  const one = <T>(some: readonly T[]): T => some[random(some.length)] as T;
  const start = one(['board', 'board', 'list', 'inbox', 'my-tasks'] as const);
  let place: Place = start;
  let beside: Place = start;
  const steps: Step[] = [];
  for (let drawn = 0; drawn < phrases; drawn++) {
    const [keys, leadsTo]: Phrase = one(phrasesAt(place, one));
    for (const key of keys)
      for (const [index, press] of (/^\w \w$/.test(key) ? key.split(' ') : [key]).entries())
        steps.push({
          press,
          pause: pauseAfter(press, random),
          goesOn: index === 0 && /^\w \w$/.test(key),
        });
    if (leadsTo === 'task') beside = place;
    // A task is left for where it was opened.
    if (leadsTo !== undefined) place = place === 'task' && leadsTo === 'board' ? beside : leadsTo;
  }
  return { start, steps };
}

/** As it is typed, to be read in a failure. */
export const sayKeys = ({ start, steps }: Sequence): string =>
  `${start}: ${steps.map(({ press }) => (press.startsWith('text:') ? `“${press.slice(5)}”` : press)).join(' ')}`;

/** What a failure said, with pauses drawn anew. */
export function readKeys(said: string, random: Random): Sequence {
  const [start = '', keys = ''] = said.split(': ');
  const presses = [...keys.matchAll(/“([^”]*)”|(\S+)/g)].map(([, text, key]) =>
    text === undefined ? key : `text:${text}`,
  );
  return {
    start: start as Sequence['start'],
    steps: presses.map((press = '') => ({ press, pause: pauseAfter(press, random), goesOn: press === 'g' })),
  };
}
