// Markdown through the editor and back: to the byte where nothing was touched, and saying the same where something was.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { EditorState } from 'prosemirror-state';
import { expect, test } from 'vitest';
import { draws } from '../../test/helpers/seed.ts';
import { shapeOf, shapesOf } from './compare-blocks.ts';
import { readMarkdown } from './read-markdown.ts';
import { openWriter } from './write-markdown.ts';

/** Everything of ours that is written in Markdown. */
const ours = ['.', 'docs', 'docs/use', 'docs/run', 'docs/build', 'docs/why'].flatMap((directory) =>
  readdirSync(join(process.cwd(), directory))
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(process.cwd(), directory, name), 'utf8')),
);

/** What people and programs write, the ugly included. */
const pieces = [
  ...[
    'words',
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\n\n\n',
    '\r\n',
    '\r',
    '\t',
    '    ',
    '\\',
    '\\\n',
    '  \n',
    '&amp;',
    '&nbsp;',
    '&',
    '<',
    '>',
  ],
  ...['# ', '## Head\n', 'Head\n===\n', 'Head\n---\n', '---\n', '* * *\n', '#', '#12', 'HAR-12', '@Ada Lovelace'],
  ...['- ', '* ', '+ ', '1. ', '2) ', '10. ', '- [ ] ', '- [x] ', '  - ', '    - ', '   * [X] ', '-', '-   ', '-\t'],
  ...['> ', '> > ', '>', '```', '```js\n', '~~~\n', '\n```\n', '    code\n', '`', '``', '`x|y`', '~~', '~'],
  ...[
    '**',
    '__',
    '*',
    '_',
    '***',
    'snake_case_word',
    '2 * 3 * 4',
    '[',
    ']',
    '(',
    ')',
    '[a](https://a.example)',
    '[a][b]',
    '[b]: /x\n',
  ],
  ...[
    '![p](attachment:0198c1de-0000-7000-8000-000000000000)',
    '![p](https://a.example/p.png "t")',
    'https://a.example/x_y_z',
    '<https://a.example>',
  ],
  ...[
    '| a | b |\n|---|:-:|\n| 1 | 2 |\n',
    '|',
    ' | ',
    '\\|',
    '<b>',
    '</b>',
    '<div>\n',
    '</div>\n',
    '<!-- no -->',
    '<script>',
    'ü',
    '👩‍🚀',
    '\u00a0',
  ],
];
const markdown = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((some) => some.join(''));
const runs = { numRuns: draws(400) };

const again = (text: string): string => {
  const read = readMarkdown(text);
  return openWriter(read).write(read.doc);
};

/** As if somebody had written all of it here. */
function withoutSources(node: Node): Node {
  if (node.isText) return node;
  const attrs = 'source' in node.attrs ? { ...node.attrs, source: null } : node.attrs;
  return node.type.create(attrs, node.content.content.map(withoutSources), node.marks);
}

test('untouched Markdown is written as it stood, to the byte', () => {
  expect(ours.length).toBeGreaterThan(50);
  for (const text of ours) expect(again(text)).toBe(text);
  fc.assert(
    fc.property(markdown, (text) => {
      expect(again(text)).toBe(text);
    }),
    runs,
  );
});

test('rewritten Markdown keeps its structure', () => {
  const nothing = openWriter(readMarkdown(''));
  const check = (text: string): void => {
    const { doc } = readMarkdown(text);
    const written = nothing.write(withoutSources(doc));
    expect(shapesOf(readMarkdown(written).doc), written).toBe(shapesOf(doc));
  };
  for (const text of ours) check(text);
});

test('a letter in one block leaves all others as they stood', () => {
  const check = (text: string, which: number): void => {
    const read = readMarkdown(text);
    const places: number[] = [];
    read.doc.descendants((node, at) => {
      if (node.isTextblock) places.push(at + 1);
    });
    const place = places[which % Math.max(1, places.length)];
    if (place === undefined) return;
    const state = EditorState.create({ doc: read.doc });
    const changed = state.apply(state.tr.insertText('q', place)).doc;
    const written = openWriter(read).write(changed);
    let from = 0;
    changed.forEach((node) => {
      const origin = read.origins.get(node.attrs.source);
      if (!origin?.node.eq(node)) return;
      const at = written.indexOf(origin.text, from);
      // A list that stood further in would belong to what now stands before it: then it says the same, at the edge.
      if (at < 0 && /^ +\S/.test(origin.text) && node.type.isInGroup('list')) {
        expect(shapesOf(readMarkdown(written).doc), JSON.stringify({ text, written })).toBe(shapesOf(changed));
        return;
      }
      expect(at, JSON.stringify({ text, written, missing: origin.text })).toBeGreaterThanOrEqual(from);
      from = at + origin.text.length;
    });
    // And taking the letter out again brings every byte back.
    const back = state.apply(state.tr.insertText('q', place).delete(place, place + 1)).doc;
    expect(openWriter(read).write(back)).toBe(text);
  };
  for (const text of ours) for (const which of [0, 17, 102]) check(text, which);
  fc.assert(fc.property(markdown, fc.nat(40), check), runs);
});

test.each([
  [
    'a box that is ticked',
    '*   [ ] one\n*   [ ] two\n    more\n\n\nend_ing',
    'one',
    '*   [x] one\n*   [ ] two\n    more\n\n\nend_ing',
  ],
  ['one of a nested list', '- a\n    * [ ] b\n    * [ ] c\n- d', 'c', '- a\n    * [ ] b\n    * [x] c\n- d'],
])('%s changes its own line alone', (_, text, words, expected) => {
  const read = readMarkdown(text);
  const state = EditorState.create({ doc: read.doc });
  let { tr } = state;
  read.doc.descendants((node, at) => {
    if (node.attrs.checked === false && node.firstChild?.textContent.startsWith(words))
      tr = tr.setNodeAttribute(at, 'checked', true);
  });
  expect(openWriter(read).write(tr.doc)).toBe(expected);
});

test('a list that stood further in than the item before it stays a list of its own when that item gets words', () => {
  const read = readMarkdown('-   \n\n   * [X] ');
  const state = EditorState.create({ doc: read.doc });
  const changed = state.apply(state.tr.insertText('q', 3)).doc;
  const written = openWriter(read).write(changed);
  expect(written).toBe('- q\n\n* [X] ');
  expect(shapesOf(readMarkdown(written).doc)).toBe(shapesOf(changed));
});

test('words that look like Markdown are escaped as little as they can bear', () => {
  const type = (text: string): string => {
    const read = readMarkdown('');
    const state = EditorState.create({ doc: read.doc });
    return openWriter(read).write(state.apply(state.tr.insertText(text, 1)).doc);
  };
  expect(type('2 * 3 and snake_case, a < b & c')).toBe('2 * 3 and snake_case, a < b & c');
  expect(type('*so*')).toBe('\\*so\\*');
  expect(type('# no heading')).toBe('\\# no heading');
  expect(type('1. no list')).toBe('1\\. no list');
  expect(type('HAR-12 https://a.example/x_y_z')).toBe('HAR-12 https://a.example/x_y_z');
  expect(shapeOf(readMarkdown(type('[x](javascript:alert(1))')).doc)).not.toContain('link');
});
