// Types of the keys and arguments that `t` accepts, from the English texts: scripts/write-web-types.mjs writes them. Arguments and plural
// forms of an ICU message.

import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { partsOf, readPart, serverParts } from '../strings.mjs';

/** Of the texts of the app, or of those of the server. */
export function messageKeys(side: 'app' | 'server'): string {
  const parts = partsOf('en').filter((part) => serverParts.includes(part) === (side === 'server'));
  const all = new Map(parts.flatMap((part) => [...readPart('en', part)]));
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
