// Attachments and portraits of the sample workspace.

import { type Drawing, drawPicture, type Shape } from './draw-pictures.ts';

export interface DemoFile {
  /** Key of the project, and the place of the task in its list. */
  readonly project: string;
  readonly task: number;
  readonly author: 0 | 1;
  readonly name: string;
  readonly type: string;
  readonly isCover?: boolean;
  readonly bytes: () => Buffer;
}

const ink = '#334155';
const faint = '#cbd5e1';
const paper = '#f8fafc';

/** Head and shoulders in front of a colour. */
const portrait = (ground: string, hair: string, skin: string, coat: string, long: boolean): Drawing => ({
  width: 256,
  height: 256,
  ground,
  shapes: [
    ['disc', 128, 104, 66, hair],
    ...(long ? ([['box', 62, 104, 132, 92, hair, 30]] as const) : []),
    ['box', 104, 130, 48, 66, skin, 20],
    ['disc', 128, 112, 50, skin],
    ['box', 78, 44, 100, 44, hair, 22],
    ['box', 44, 186, 168, 120, coat, 56],
  ],
});

/** In the order of `people`. */
export const portraits = [
  () => drawPicture(portrait('#bfe3dd', '#6b3f2a', '#f1c9a8', '#0f766e', true)),
  () => drawPicture(portrait('#fde3c0', '#26221f', '#c98f66', '#3b4a7a', false)),
] as const;

const lines = (x: number, y: number, widths: readonly number[], colour = faint): Shape[] =>
  widths.map((width, line) => ['box', x, y + line * 22, width, 10, colour, 5]);

const sketch = (pictures: number): Drawing => ({
  width: 960,
  height: 600,
  ground: paper,
  shapes: [
    ['box', 0, 0, 960, 64, '#ffffff'],
    ['disc', 52, 32, 14, '#0f766e'],
    ...lines(640, 27, [70]),
    ...lines(730, 27, [70]),
    ['box', 820, 18, 100, 28, '#0f766e', 14],
    ['box', 64, 130, 380, 28, ink, 8],
    ['box', 64, 172, 280, 28, ink, 8],
    ...lines(64, 232, [360, 340, 250]),
    ['box', 64, 320, 150, 44, '#0f766e', 22],
    ...Array.from({ length: pictures }, (_, n): Shape => {
      const width = (420 - (pictures - 1) * 16) / pictures;
      return ['box', 500 + n * (width + 16), 120, width, 260, n === 0 ? '#99d5cd' : '#dbeafe', 14];
    }),
    ...[0, 1, 2].flatMap((n): Shape[] => [
      ['box', 64 + n * 290, 440, 256, 120, '#ffffff', 12],
      ...lines(84 + n * 290, 468, [120], ink),
      ...lines(84 + n * 290, 496, [200, 160]),
    ]),
  ],
});

/** A ferry before hills in the evening. */
const hero: Drawing = {
  width: 1280,
  height: 640,
  ground: '#fcd9b6',
  shapes: [
    ['disc', 930, 300, 90, '#fb923c'],
    ['disc', 230, 700, 380, '#7c9a92'],
    ['disc', 700, 780, 430, '#5b7f7b'],
    ['disc', 1180, 720, 360, '#6d8f88'],
    ['box', 0, 430, 1280, 210, '#2b6f77'],
    ['box', 430, 380, 420, 60, '#f8fafc', 18],
    ['box', 480, 330, 300, 60, '#e2e8f0', 10],
    ['box', 660, 270, 44, 70, '#c2410c', 6],
    ...Array.from({ length: 9 }, (_, n): Shape => ['disc', 510 + n * 30, 360, 8, '#2b6f77']),
    ...[480, 520, 570].map((y, n): Shape => ['box', 120 + n * 180, y, 620 - n * 90, 6, '#4d8f95', 3]),
  ],
};

const menu: Drawing = {
  width: 320,
  height: 480,
  ground: '#e2e8f0',
  shapes: [
    ['box', 20, 20, 280, 440, '#ffffff', 18],
    ['disc', 58, 64, 16, '#0f766e'],
    ...[0, 1, 2].flatMap((n) => lines(40, 116 + n * 46, [180 - n * 20], ink)),
    ['box', 40, 54, 120, 14, '#ef4444', 7],
    ...lines(40, 290, [240, 220, 240, 150]),
  ],
};

const floor: Drawing = {
  width: 960,
  height: 640,
  ground: '#ffffff',
  shapes: [
    ['box', 40, 40, 880, 560, ink],
    ['box', 50, 50, 860, 540, '#ffffff'],
    ['box', 50, 300, 860, 8, ink],
    ['box', 400, 50, 8, 250, ink],
    ['box', 640, 308, 8, 282, ink],
    ['box', 460, 300, 90, 8, '#ffffff'],
    ['box', 200, 300, 90, 8, '#ffffff'],
    ['box', 730, 300, 90, 8, '#ffffff'],
    ...Array.from(
      { length: 6 },
      (_, n): Shape => ['box', 90 + (n % 3) * 98, 100 + Math.floor(n / 3) * 90, 76, 46, '#fed7aa', 6],
    ),
    ...Array.from(
      { length: 8 },
      (_, n): Shape => ['box', 450 + (n % 4) * 110, 100 + Math.floor(n / 4) * 90, 84, 46, '#bfdbfe', 6],
    ),
    ['box', 120, 380, 420, 130, '#bbf7d0', 40],
    ['disc', 740, 430, 46, '#fecaca'],
    ['disc', 830, 510, 34, '#fecaca'],
  ],
};

const text = (words: string) => () => Buffer.from(words);
const png = (painting: Drawing) => ({ type: 'image/png', bytes: () => drawPicture(painting) });

/** A comment or description shows one by its name: `![sketch](attachment:sketch-2.png)`. */
export const files: readonly DemoFile[] = [
  { project: 'WEB', task: 2, author: 1, name: 'sketch-1.png', ...png(sketch(3)) },
  { project: 'WEB', task: 2, author: 0, name: 'sketch-2.png', isCover: true, ...png(sketch(1)) },
  {
    project: 'WEB',
    task: 10,
    author: 1,
    name: 'old-addresses.csv',
    type: 'text/csv',
    bytes: text(
      'from,to,visits\n/home.html,/,5210\n/about-us.php,/about,904\n/prices.html,/pricing,731\n/fair-2019,,0\n',
    ),
  },
  { project: 'WEB', task: 18, author: 0, name: 'hero.png', isCover: true, ...png(hero) },
  { project: 'WEB', task: 20, author: 1, name: 'menu-320.png', ...png(menu) },
  {
    project: 'APP',
    task: 18,
    author: 1,
    name: 'queue.md',
    type: 'text/markdown',
    bytes: text(
      '# What waits\n\n1. Write it down on the device\n2. Show it at once\n3. Send it in order\n4. Say what was refused, and why\n',
    ),
  },
  { project: 'MOVE', task: 6, author: 0, name: 'floor-plan.png', ...png(floor) },
  { project: 'MOVE', task: 18, author: 1, name: 'floor-plan-seats.png', isCover: true, ...png(floor) },
];
