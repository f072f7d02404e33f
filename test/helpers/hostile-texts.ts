// Markdown made to be slow or deep: what takes a parser without bounds seconds, or its stack. Shared by tests of the parser and of pages.

import fc from 'fast-check';

const many = (piece: string, times: number): string => piece.repeat(times);
const row = (cell: string, columns: number): string => `|${many(`${cell}|`, columns)}\n`;

export const hostileTexts: Readonly<Record<string, string>> = {
  quotes: `${many('> ', 2_000)}x`,
  'bare quotes': many('>', 100_000),
  'quotes, one deeper a line': Array.from({ length: 300 }, (_, depth) => `${many('> ', depth)}a`).join('\n'),
  'quotes with lazy lines': many('> a\nb\n', 15_000),
  lists: `${many('- ', 10_000)}x`,
  'numbered lists': `${many('1. ', 3_000)}x`,
  'lists by indent': Array.from({ length: 400 }, (_, depth) => `${many(' ', 2 * depth)}- a`).join('\n'),
  'quotes and lists': `${many('> - ', 1_000)}x`,
  'loose items': many('* a\n\n', 20_000),
  stars: many('*', 10_000),
  'stars around a word': `${many('*', 5_000)}a${many('*', 5_000)}`,
  emphasis: many('a*', 50_000),
  'strong and emphasis': many('**a*', 5_000),
  underscores: many('a_', 50_000),
  strikes: many('~~a', 6_000),
  brackets: many('[', 10_000),
  'brackets closed as links': `${many('[', 5_000)}a${many('](b)', 5_000)}`,
  'links left open': many('[a](b', 20_000),
  pictures: many('![', 5_000),
  'angle brackets': many('<', 100_000),
  tags: many('<a ', 10_000),
  comments: many('<!--', 5_000),
  'a wide table': row('a', 5_000) + row('-', 5_000) + row('b', 5_000),
  'a wide table with short rows': row('a', 5_000) + row('-', 5_000) + many('|b\n', 1_000),
  'a long table with short rows': row('a', 90) + row('-', 90) + many('|b\n', 20_000),
  backticks: Array.from({ length: 200 }, (_, at) => many('`', at + 1)).join(' '),
  'backticks in pairs': many('`a', 10_000),
  addresses: many('http://a.b/ ', 3_000),
  'an address of mail': `${many('a', 20_000)}@`,
  'addresses of mail': many('a@', 50_000),
  'names for a long address': `[a]: http://${many('x', 50_000)}\n\n${many('[a] ', 12_000)}`,
  'names for an address': `[a]: http://${many('x', 1_900)}\n\n${many('[a] ', 20_000)}`,
  definitions: many('[a]: b\n', 5_000),
  spaces: `a${many(' ', 90_000)}b`,
  'spaces between markers': `- [ ] a\n${many('-  ', 3_000)}x`,
  boxes: many('- [ ] a\n', 12_000),
  'boxes in code': `- [ ] a\n\n~~~\n${many('- [ ] b\n', 10_000)}~~~\n\n- [ ] c`,
  fences: many('```\n', 20_000),
  'combining characters': `a${many('\u0301', 40_000)}`,
};

/** Texts put together from what Markdown is made of, some of it many times. */
export const drawnTexts = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        ...'> |- |1. |* |*|**|_|~~|`|```\n|[|](|]|![|<|<!--|&#|\\|| |\n|\n\n|a|@|http://a.b|# |- [ ] |\t|| a'.split(
          /(?<!^)\|(?!$)/,
        ),
      ),
      fc.constantFrom(1, 2, 7, 60, 900),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((pieces) => pieces.map(([piece, times]) => many(piece, times)).join(''));
