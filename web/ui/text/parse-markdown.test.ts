import { expect, test } from 'vitest';
import { parseMarkdown } from './parse-markdown.ts';

test.each([
  '<script>![a" onerror="alert(1)](https://example.com/a.png)',
  'words <script>![a" onerror="alert(1)](https://example.com/a.png) more',
  '<pre>![a" onload="x](https://example.com/a.png)</pre>',
  '<style>[a](https://example.com "t" onclick="x")',
  '<script>a < b & "c"',
])('text typed after a tag stays text: %s', (text) => {
  const html = parseMarkdown(text);
  expect(html).not.toMatch(/<(?:script|style|pre)/i);
  expect(html).not.toMatch(/<[^>]*\son\w+="/i);
});

test('names that are mentioned are set off', () => {
  expect(parseMarkdown('ask @Ada Lovelace.', ['Ada', 'Ada Lovelace'])).toContain('<strong>@Ada Lovelace</strong>');
});

test('a long ordinary text is formatted to its end', () => {
  const part = '## Head\n\nSome *text* with **bold**, `code` and a [link](https://example.com).\n\n- one\n  - two\n\n';
  const html = parseMarkdown(part.repeat(40));
  expect(html.match(/<strong>bold<\/strong>/g)).toHaveLength(40);
});
