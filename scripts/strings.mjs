// Reads the texts in web/strings/<language>/*.json and follows the links between them. As a plugin of Vite and Rolldown it compiles each file
// for icu-minify, so that no parser of ICU messages is shipped, and puts the texts that the server sends into server/texts/catalogs.ts.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A build may take other texts, such as those of scripts/pseudo-language.mjs. */
const given = process.env.KANBASE_STRINGS;
const here = given ?? 'web/strings';
/** What the server says itself: in emails, push messages, the pages behind links and findings about its health. All others are the app's. */
export const serverParts = ['mails', 'push', 'links', 'health'];

/** A folder with texts is a language; English is the first. */
export function languages(folder = here) {
  const found = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [
    'en',
    ...found
      .map(({ name }) => name)
      .filter((name) => name !== 'en')
      .sort(),
  ];
}

/** Names of the files of a language, without `.json`; of a language that is not there, none. */
export function partsOf(language, folder = here) {
  const path = join(folder, language);
  return existsSync(path) ? readdirSync(path).map((name) => name.replace(/\.json$/, '')) : [];
}

/** The messages of one file as they are written, by their whole key; of a file that is not there, none. */
export function writtenIn(language, part, folder = here) {
  const path = join(folder, language, `${part}.json`);
  const found = new Map();
  const walk = (inside, before) => {
    for (const [name, value] of Object.entries(inside))
      if (typeof value === 'string') found.set(before + name, value);
      else walk(value, `${before}${name}.`);
  };
  if (existsSync(path)) walk(JSON.parse(readFileSync(path, 'utf8')), '');
  return found;
}

/** Messages of a file that stand for the text of another key, in whatever file: `"@:common.signIn"`. English says so for each language. */
export function linksOf(part, folder = here) {
  const links = [...writtenIn('en', part, folder)].filter(([, text]) => text.startsWith('@:'));
  return new Map(links.map(([key, text]) => [key, text.slice(2)]));
}

/** The messages of one file by their whole key, with the texts that links stand for. */
export function readPart(language, part, folder = here) {
  const texts = writtenIn(language, part, folder);
  const links = linksOf(part, folder);
  if (links.size === 0) return texts;
  const all = new Map();
  for (const name of new Set(['en', language]))
    for (const one of partsOf(name, folder)) for (const [key, text] of writtenIn(name, one, folder)) all.set(key, text);
  for (const [key, target] of links) {
    const text = all.get(target);
    if (text === undefined || text.startsWith('@:'))
      throw new Error(`${part}.json: ${key} links to ${target}, which has no text`);
    texts.set(key, text);
  }
  return texts;
}

/** What a language lacks is said in English. */
async function compilePart(language, part, folder) {
  const { default: compile } = await import('icu-minify/compile');
  const texts = new Map([...readPart('en', part, folder), ...readPart(language, part, folder)]);
  return Object.fromEntries([...texts].map(([key, text]) => [key, compile(text)]));
}

const source = /[\\/]web[\\/]strings[\\/]([\w-]+)[\\/]([\w-]+)\.json(?:\?|$)/;
const catalogs = /[\\/]server[\\/]texts[\\/]catalogs\.ts(?:\?|$)/;

export const messages = {
  name: 'messages',
  enforce: 'pre',
  load: {
    filter: { id: [source, catalogs] },
    async handler(id) {
      const [, language, part] = source.exec(id) ?? [];
      if (language !== undefined) {
        const folder = given ?? dirname(dirname(id));
        for (const name of new Set(['en', language]))
          for (const file of partsOf(name, folder)) this.addWatchFile(join(folder, name, `${file}.json`));
        return JSON.stringify(await compilePart(language, part, folder));
      }
      const folder = given ?? join(dirname(id), '../..', here);
      const all = {};
      for (const name of languages(folder)) {
        all[name] = {};
        for (const file of serverParts) Object.assign(all[name], await compilePart(name, file, folder));
        // Links may lead to any of them.
        for (const file of partsOf(name, folder)) this.addWatchFile(join(folder, name, `${file}.json`));
      }
      return `export const catalogs = ${JSON.stringify(all)};`;
    },
  },
};
