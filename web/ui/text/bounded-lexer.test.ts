import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawnTexts, hostileTexts } from '../../../test/helpers/hostile-texts.ts';
import { readMarkdown } from '../../editor/read-markdown.ts';
import { openWriter } from '../../editor/write-markdown.ts';
import { MarkdownOverrun } from './bounded-lexer.ts';
import { parseMarkdown } from './parse-markdown.ts';
import { tickLine } from './tick-markdown.ts';

/** Null: it is shown as its source. */
function parsed(text: string): string | null {
  try {
    return parseMarkdown(text, ['Ada'], [{ words: 'HAR-1', href: '/app', label: 'HAR-1' }]);
  } catch (fault) {
    if (fault instanceof MarkdownOverrun) return null;
    throw fault;
  }
}

function depthOf(html: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [, end] of html.matchAll(/<(\/?)(?:blockquote|ul|ol|em|strong|del|a)\b/g)) {
    depth += end === '' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function check(text: string): void {
  const html = parsed(text);
  if (html !== null) {
    // One level of the parser may be two of HTML.
    expect(depthOf(html)).toBeLessThanOrEqual(45);
    expect(html.length).toBeLessThan(2_000_000 + 60 * text.length);
  }
  const read = readMarkdown(text);
  expect(openWriter(read).write(read.doc)).toBe(text);
  tickLine(text, 0, true);
}

test.each(Object.entries(hostileTexts))('%s are read within bounds, and written as they stood', (_name, text) => {
  check(text);
});

test('any combination of Markdown is read within bounds, and written as it stood', () => {
  fc.assert(fc.property(drawnTexts, check), { numRuns: 60 });
});

test('twenty levels are drawn, the next stays text', () => {
  const html = parsed(`${'> '.repeat(30)}x`) ?? '';
  expect(html.match(/<blockquote>/g)).toHaveLength(20);
  expect(html).toContain('&gt; x');
});

test('a box is found behind many that only look like one', () => {
  const some = `~~~\n${'- [ ] b\n'.repeat(15)}~~~\n\n- [ ] c`;
  expect(tickLine(some, 0, true)).toMatchObject({ line: '- [ ] c', changed: '- [x] c' });
});
