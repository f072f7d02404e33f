// Components that web/ui and web/pieces export, and those of them that the page of all parts (/ui of `npx vite`) has to draw.

import { readdirSync, readFileSync } from 'node:fs';

/** Without a look of their own. */
export const notDrawn: Readonly<Record<string, string>> = {
  Announcer: 'is only heard',
  SwipeRows: 'fetches SwipeRowsListener on a phone',
  RestoreFocus: 'moves the focus',
  SwipeRowsListener: 'shows what a finger does to a row',
  ToastCorner: 'is fetched by Toaster',
};

const files = ['ui', 'pieces'].flatMap((room) =>
  readdirSync(`web/${room}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => `${room}/${file.replaceAll('\\', '/')}`),
);
export const exported = files.flatMap((file) =>
  [...readFileSync(`web/${file}`, 'utf8').matchAll(/^export (?:default )?(?:function|class|const) ([A-Z]\w+)/gm)].map(
    ([, name = '']) => ({ file, name }),
  ),
);
export const drawn = exported.filter(({ name }) => notDrawn[name] === undefined);
