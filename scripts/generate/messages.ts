// Plugin of Vite over the catalogs in web/strings/<language>/: each is compiled for icu-minify, so that no parser of ICU messages
// reaches a browser. Its `keys` are the types of all keys and arguments that `t` accepts (scripts/write-web-types.mjs writes them).

import { readdirSync, readFileSync } from 'node:fs';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import compile from 'icu-minify/compile';

interface Nested {
  readonly [name: string]: string | Nested;
}
interface Plugin {
  readonly name: string;
  readonly enforce: 'pre';
  readonly api: { keys(): string };
  load(id: string): string | null;
}

const folder = 'web/strings';
const source = /\/web\/strings\/[\w-]+\/\w+\.json$/;

/** Each catalog as JSON of compiled messages by their whole key. */
export const messages: Plugin = {
  name: 'messages',
  enforce: 'pre',
  api: { keys: messageKeys },
  load(id) {
    const [path = ''] = id.split('?', 1);
    if (!source.test(path.replaceAll('\\', '/'))) return null;
    const compiled = [...readCatalog(path)].map(([key, text]) => [key, compile(text)]);
    return JSON.stringify(Object.fromEntries(compiled));
  },
};

export function readCatalog(path: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (part: Nested, before: string): void => {
    for (const [name, value] of Object.entries(part))
      if (typeof value === 'string') found.set(before + name, value);
      else walk(value, `${before}${name}.`);
  };
  walk(JSON.parse(readFileSync(path, 'utf8')) as Nested, '');
  return found;
}

function messageKeys(): string {
  const files = readdirSync(`${folder}/en`).filter((name) => name.endsWith('.json'));
  const all = new Map(files.flatMap((name) => [...readCatalog(`${folder}/en/${name}`)]));
  const lines = [...all].map(([key, text]) => `  '${key}': ${argumentsOf(text)};\n`);
  return `export interface MessageArguments {\n${lines.join('')}}\n\nexport type MessageKey = keyof MessageArguments;\n`;
}

/** The arguments of an ICU message with their types, or null for one that takes none. */
export function argumentTypes(text: string): Map<string, string> {
  const types = new Map<string, string>();
  const walk = (elements: readonly MessageFormatElement[]): void => {
    for (const element of elements) {
      if (element.type === TYPE.argument && !types.has(element.value)) types.set(element.value, 'string | number');
      if (element.type === TYPE.number || element.type === TYPE.plural) types.set(element.value, 'number');
      if (element.type === TYPE.select) types.set(element.value, 'string');
      if (element.type === TYPE.select || element.type === TYPE.plural)
        for (const option of Object.values(element.options)) walk(option.value);
    }
  };
  walk(parse(text));
  return types;
}

/** The forms of each plural in a message: one, other, … */
export function pluralForms(text: string): string[][] {
  const found: string[][] = [];
  const walk = (elements: readonly MessageFormatElement[]): void => {
    for (const element of elements) {
      if (element.type !== TYPE.select && element.type !== TYPE.plural) continue;
      if (element.type === TYPE.plural) found.push(Object.keys(element.options));
      for (const option of Object.values(element.options)) walk(option.value);
    }
  };
  walk(parse(text));
  return found;
}

function argumentsOf(text: string): string {
  const types = [...argumentTypes(text)];
  return types.length === 0 ? 'null' : `{ ${types.map(([name, type]) => `${name}: ${type}`).join('; ')} }`;
}
