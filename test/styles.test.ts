// Styles belong to the part that wears them: a class can only be had by importing its sheet, so a part is never drawn without it, and
// nothing outside is touched. docs/why/pages.md#styles-belong-to-their-part tells why; a class that a sheet does not have is an
// error of types.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { layers } from '../scripts/style-layers.ts';
import { media } from '../web/styles/media.ts';

const web = join(process.cwd(), 'web');
const files = readdirSync(web, { recursive: true }).map((file) => String(file).replaceAll('\\', '/'));
const read = (file: string): string => readFileSync(join(web, file), 'utf8');
const sheets = files.filter((file) => file.endsWith('.module.css'));
const parts = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));

/** Which part imports which sheet, and what it calls it. */
const worn = parts.flatMap((part) =>
  [...read(part).matchAll(/^import (\w+) from '(\.[^']+\.module\.css)';$/gm)].map(([, name = '', path = '']) => ({
    part,
    name,
    sheet: relative(web, join(web, dirname(part), path)).replaceAll('\\', '/'),
  })),
);

/** What may be said by name everywhere: web/styles/base.css has them. */
const everywhere = ['only-spoken', 'numbers', 'skip'];

const camel = (name: string): string => name.replace(/-+(\w)/g, (_all, letter: string) => letter.toUpperCase());

test('global styles are tokens, bare elements and a few utilities', () => {
  const plain = files.filter((file) => file.endsWith('.css') && !sheets.includes(file) && !file.startsWith('landing/'));
  expect(plain.sort()).toEqual(['styles/base.css', 'styles/tokens.css']);
  const named = [...withoutComments(read('styles/base.css')).matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/g)].map(
    ([, one]) => one,
  );
  expect([...new Set(named)].sort()).toEqual([...everywhere].sort());
});

test('a sheet is worn by its own folder; those of ui, pieces and styles by whoever is built from them', () => {
  const wrong = worn
    .filter(({ part, sheet }) => dirname(part) !== dirname(sheet) && !/^(ui|pieces|styles)\//.test(sheet))
    .map(({ part, sheet }) => `${part} wears ${sheet}`);
  expect(wrong).toEqual([]);
});

test('every room that has sheets has a layer', () => {
  const rooms = new Set(sheets.map((sheet) => sheet.split('/')[0] ?? ''));
  expect([...rooms].filter((room) => !(layers as readonly string[]).includes(room))).toEqual([]);
});

test('a sheet reaches for nothing outside of itself', () => {
  expect(sheets.filter((sheet) => /:global|@import|composes:|@layer/.test(withoutComments(read(sheet))))).toEqual([]);
});

test('sheets say layers over other rooms and kinds of windows by their names', () => {
  // `phone` is made of two others, which a sheet could only repeat together.
  const written = Object.entries(media).filter(([name]) => name !== 'phone');
  const wrong = files
    .filter((file) => file.endsWith('.css') && !file.startsWith('landing/'))
    .flatMap((file) => {
      const text = withoutComments(read(file));
      const conditions = [...text.matchAll(/@media ([^{]*?) \{/g)].map(([, one = '']) => one);
      return [
        ...[...text.matchAll(/z-index: \d\d+/g)].map(([layer]) => `${file}: ${layer}`),
        ...written.flatMap(([name, query]) =>
          conditions.filter((one) => one.includes(query)).map((one) => `${file}: ${one} is (--${name})`),
        ),
      ];
    });
  expect(wrong).toEqual([]);
});

test('every token that a sheet uses is defined: in a sheet, or by the part that draws with it', () => {
  const all = files.filter((file) => file.endsWith('.css')).map((file) => withoutComments(read(file)));
  const defined = new Set([
    ...all.flatMap((text) => [...text.matchAll(/(?<![\w-])(--[\w-]+)\s*:/g)].map(([, name]) => name)),
    ...parts.flatMap((part) => [...read(part).matchAll(/['"`](--[a-z][\w-]*)['"`]/g)].map(([, name]) => name)),
  ]);
  const used = all.flatMap((text) => [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name));
  const ofLibraries = /^--(radix-.*|width)$/;
  const unknown = used.filter((name) => !defined.has(name) && !ofLibraries.test(name));
  expect([...new Set(unknown)]).toEqual([]);
});

test('no two sheets have the same name, which is the first half of the names of their classes', () => {
  const names = sheets.map((sheet) => basename(sheet));
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('a shape is worn, not drawn again', () => {
  const shapes = new Map<string, string[]>();
  for (const { selectors, declarations } of rulesOf('styles/shapes.module.css'))
    for (const one of selectors) shapes.set(one, [...(shapes.get(one) ?? []), ...declarations]);
  const named = new Map([...shapes].map(([shape, declarations]) => [declarations.toSorted().join(), shape]));
  const again = sheets
    .filter((sheet) => !/^(styles|ui)\//.test(sheet))
    .flatMap((sheet) =>
      rulesOf(sheet).flatMap(({ selectors, declarations }) => {
        const shape = named.get(declarations.toSorted().join());
        return shape && declarations.length > 1 && selectors.every((one) => /^\.[\w-]+$/.test(one))
          ? [`${sheet}: ${selectors} is ${shape}`]
          : [];
      }),
    );
  expect(again).toEqual([]);
});

test('every class of a sheet is worn by someone', () => {
  const unworn = sheets.flatMap((sheet) => {
    const uses = worn.filter((one) => one.sheet === sheet).map(({ part, name }) => ({ name, text: read(part) }));
    return classesOf(sheet)
      .filter((one) => !uses.some(({ name, text }) => wears(text, name, one)))
      .map((one) => `${sheet}: .${one}`);
  });
  expect(unworn).toEqual([]);
});

test('no part names a class as text', () => {
  const wrong = parts.flatMap((part) =>
    classNamesIn(read(part))
      .flatMap(textsOf)
      .filter((name) => !everywhere.includes(name))
      .map((name) => `${part}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

/** What each className is set to: "a text", or an expression without its braces. */
function classNamesIn(code: string): string[] {
  return [...code.matchAll(/className=(?=["{])/g)].map(({ index, 0: found }) => {
    const start = index + found.length;
    if (code[start] === '"') return code.slice(start, code.indexOf('"', start + 1) + 1);
    let depth = 0;
    let at = start;
    do depth += code[at] === '{' ? 1 : code[at] === '}' ? -1 : 0;
    while (at++ < code.length && depth > 0);
    return code.slice(start + 1, at - 1);
  });
}

/** The words in it that stand there as they are: in quotes that are compared with nothing, or in a template outside of what is put in. */
function textsOf(value: string): string[] {
  const quoted = [...value.matchAll(/(=== )?(?:'([^']*)'|"([^"]*)")/g)]
    .filter(([, compared]) => compared === undefined)
    .map(([, , one, other]) => one ?? other ?? '');
  let template = value.startsWith('`') ? value.slice(1, -1).replaceAll(/styles\[`[^`]*`\]/gi, '') : '';
  for (let before = ''; before !== template; ) {
    before = template;
    template = template.replaceAll(/\$\{[^{}]*\}/g, ' ');
  }
  return [...quoted, template].flatMap((text) => text.split(/\s+/)).filter(Boolean);
}

function classesOf(sheet: string): string[] {
  const text = withoutComments(read(sheet)).replaceAll(/url\("[^"]*"\)/g, '');
  const found = [...text.matchAll(/([^{};]*)\{/g)].flatMap(([, selector = '']) =>
    [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, one = '']) => one),
  );
  return [...new Set(found)];
}

/** Its rules outside of conditions. */
function rulesOf(sheet: string): { selectors: string[]; declarations: string[] }[] {
  return [...withoutComments(read(sheet)).matchAll(/^([.:[][^{}]*)\{([^{}]*)^\}/gm)].map(
    ([, names = '', body = '']) => ({
      selectors: names.split(',').map((one) => one.trim()),
      declarations: body
        .split(';')
        .map((one) => one.trim())
        .filter(Boolean),
    }),
  );
}

/** By its name, or by a name that is put together: styles[`notice${capital(tone)}`]. */
function wears(text: string, sheet: string, name: string): boolean {
  if (new RegExp(`\\b${sheet}\\.${camel(name)}\\b`).test(text)) return true;
  return [...text.matchAll(new RegExp(`\\b${sheet}\\[\`(\\w+)\\$`, 'g'))].some(([, start = '']) =>
    camel(name).startsWith(start),
  );
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '');
}
