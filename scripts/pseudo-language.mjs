// Writes a pseudo-language for trying layouts, made of the English texts: each word two fifths longer and with accents, so that a text from
// no catalog stands out. `npm run languages -- --pseudo` writes it; a build takes it with KANBASE_STRINGS.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import { partsOf, readPart } from './strings.mjs';

const plain = 'aceinosuyACEINOSUY';
const accented = 'áçéíñóšúýÁÇÉÍÑÓŠÚÝ';

/** Writes it as the English of this folder, which is all that the folder has. */
export function writePseudoLanguage(folder) {
  mkdirSync(join(folder, 'en'), { recursive: true });
  for (const part of partsOf('en')) {
    const texts = [...readPart('en', part)].map(([key, text]) => [key, pseudoText(text)]);
    writeFileSync(join(folder, 'en', `${part}.json`), JSON.stringify(Object.fromEntries(texts), null, 2));
  }
}

/** Arguments, forms and tags of the message stay as they are. */
export function pseudoText(message) {
  const walk = (elements) =>
    elements.map((element) => {
      if (element.children) return { ...element, children: walk(element.children) };
      if (element.options)
        return {
          ...element,
          options: Object.fromEntries(
            Object.entries(element.options).map(([form, { value }]) => [form, { value: walk(value) }]),
          ),
        };
      return element.type === 0 ? { type: 0, value: lengthen(element.value) } : element;
    });
  return printAST(walk(parse(message)));
}

function lengthen(text) {
  return text.replace(/\p{L}+/gu, (word) => {
    const longer = word.length < 3 ? word : word + word.slice(0, Math.ceil(word.length * 0.4)).toLowerCase();
    return [...longer].map((letter) => accented[plain.indexOf(letter)] ?? letter).join('');
  });
}
