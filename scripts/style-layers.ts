// Puts every style sheet of the app into the cascade layer of its room while the pages are built: the room decides which style wins, never
// the order of fetching. Named windows (web/styles/media.ts) are written out: `@media (--phone)`. Landing pages have sheets of their own, outside of layers.

import { basename } from 'node:path';
import type { CSSOptions } from 'vite';

/** Later ones win. `modes`: what forced colours and paper ask for, over every room. */
export const layers = ['styles', 'ui', 'pieces', 'editor', 'shell', 'screens', 'modes'] as const;

const roomOf = (file: string): string | undefined => {
  const room = /[\\/]web[\\/](\w+)[\\/]/.exec(file)?.[1];
  return layers.find((layer) => layer === room);
};

type Plugins = NonNullable<Extract<CSSOptions['postcss'], object>['plugins']>;

type Plugin = Extract<Plugins[number], { postcssPlugin: string }>;

export const layersOfStyles = (windows: Readonly<Record<string, string>>): Plugin => ({
  postcssPlugin: 'layers-of-styles',
  Once(sheet, { AtRule }) {
    const room = roomOf(sheet.source?.input.file ?? '');
    if (room === undefined) return;
    sheet.walkAtRules('media', (rule) => {
      rule.params = rule.params.replaceAll(/\(--(\w+)\)/g, (named, name: string) => {
        const query = windows[name];
        if (query === undefined) throw rule.error(`${named} is not in web/styles/media.ts`);
        // Two kinds in one name cannot be narrowed further.
        if (query.includes(',') && rule.params !== named) throw rule.error(`${named} stands alone`);
        return query;
      });
    });
    const plain = new AtRule({ name: 'layer', params: room, nodes: [] });
    const modes = new AtRule({ name: 'layer', params: 'modes', nodes: [] });
    for (const node of [...(sheet.nodes ?? [])]) {
      const isMode = node.type === 'atrule' && node.name === 'media' && /forced-colors|print/.test(node.params);
      (isMode ? modes : plain).append(node);
    }
    // Said by every sheet, because any of them may be the first to arrive.
    sheet.append(new AtRule({ name: 'layer', params: layers.join(', ') }), plain, modes);
  },
});

/** `.card-title` of card.module.css is called card_card-title in the page: found again by whoever looks at it. */
export function nameOfClass(name: string, file: string): string {
  return `${basename(file.replace(/\?.*/, ''), '.module.css')}_${name}`;
}
