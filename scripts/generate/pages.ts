// The pages that stand before the app, in every language: marks such as {{pages.lost.title}} become the texts of
// web/strings/<language>/pages.json, and each page is written once for English and once more, `index.de.html`, for every other language.

import { readdirSync } from 'node:fs';
import type { Plugin } from 'vite';
import { readCatalog } from './messages.ts';

const folder = 'web/strings';

/** Every language but English has its pages beside the English ones. */
export const pagesInLanguages: Plugin = {
  name: 'pages-in-languages',
  transformIndexHtml: {
    order: 'post',
    // While developing, the English one is enough.
    handler: (html, context) => (context.server === undefined ? html : fillPage(html, 'en')),
  },
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type !== 'asset' || !name.endsWith('.html')) continue;
        const page = String(file.source);
        file.source = fillPage(page, 'en');
        for (const language of readdirSync(folder, { withFileTypes: true })) {
          if (!language.isDirectory() || language.name === 'en') continue;
          this.emitFile({
            type: 'asset',
            fileName: name.replace(/\.html$/, `.${language.name}.html`),
            source: fillPage(page, language.name),
          });
        }
      }
    },
  },
};

/** A mark may name the address that a <link> in its text leads to: {{pages.landing.apiDocs /docs}}. */
function fillPage(page: string, language: string): string {
  const texts = readCatalog(`${folder}/${language}/pages.json`);
  const inLanguage = page.replace('<html lang="en">', `<html lang="${language}">`);
  return inLanguage.replaceAll(/\{\{([\w.]+)(?: ([^}\s]+))?\}\}/g, (_mark, key: string, address = '') => {
    const text = texts.get(key);
    if (text === undefined) throw new Error(`No text for ${key} in ${folder}/${language}/pages.json`);
    return text.replace('<link>', `<a href="${address}">`).replace('</link>', '</a>');
  });
}
