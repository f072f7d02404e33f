// The pages that stand before the app, in every language: marks such as {{pages.lost.title}} become the texts of pages.json in
// web/strings/<language>/, or of app.json where the app says the same. Each page is written once for English and once more, `index.de.html`,
// for every other language. So is what a device is told of the app when it installs it.

import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { nameLanguage } from '../../contract/name-language.ts';
import { languages, readPart } from '../strings.mjs';

/** Vite copies it as it stands; what is written here under its name takes its place. */
const manifest = 'manifest.webmanifest';
const others = languages().filter((name) => name !== 'en');

/** index.html in German: index.de.html. */
const nameIn = (language: string, name: string): string => name.replace(/\.\w+$/, `.${language}$&`);
export const manifests = [manifest, ...others.map((language) => nameIn(language, manifest))];

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
      const write = (name: string, page: string): void => {
        for (const language of others)
          this.emitFile({ type: 'asset', fileName: nameIn(language, name), source: fillPage(page, language) });
      };
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type !== 'asset' || !name.endsWith('.html')) continue;
        const page = String(file.source);
        file.source = fillPage(page, 'en');
        write(name, page);
      }
      const text = readFileSync(`web/public/${manifest}`, 'utf8');
      this.emitFile({ type: 'asset', fileName: manifest, source: fillPage(text, 'en') });
      write(manifest, text);
    },
  },
};

/** A mark may name the address that a <link> in its text leads to: {{pages.landing.apiDocs /docs}}. */
function fillPage(page: string, language: string): string {
  const said = ['en', language].flatMap((one) => ['app', 'pages'].flatMap((part) => [...readPart(one, part)]));
  const texts = new Map([...said, ['languages', languageLinks()]]);
  const inLanguage =
    language === 'en'
      ? page
      : page.replace('<html lang="en">', `<html lang="${language}">`).replace(manifest, nameIn(language, manifest));
  return inLanguage.replaceAll(/\{\{([\w.]+)(?: ([^}\s]+))?\}\}/g, (_mark, key: string, address = '') => {
    const text = texts.get(key);
    if (text === undefined) throw new Error(`No text for ${key} in web/strings/en`);
    return text.replace('<link>', `<a href="${address}">`).replace('</link>', '</a>');
  });
}

/** A link to each language chooses it. */
function languageLinks(): string {
  return languages()
    .map((one) => `<a href="/?language=${one}" hreflang="${one}" lang="${one}">${nameLanguage(one)}</a>`)
    .join('\n        ');
}
