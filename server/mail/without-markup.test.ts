// Tests that quoted text in an email reads as words.

import { expect, test } from 'vitest';
import { withoutMarkup } from './without-markup.ts';

const id = '0198c1f0-0000-7000-8000-00000000000a';

test.each([
  ['**Look** at `this`', 'Look at this'],
  ['@[Ada Lovelace](mention:1) is here', '@Ada Lovelace is here'],
  [`See ![crane.png](attachment:${id}) and [plan.pdf](attachment:${id})`, 'See crane.png and plan.pdf'],
  [`![a \\[b\\].png](attachment:${id})`, 'a [b].png'],
  // Cut in the middle of an address.
  ['See ![crane.png](attachment:0198c1', 'See crane.png'],
  ['[elsewhere](https://example.test)', '[elsewhere](https://example.test)'],
])('%s', (markdown, words) => {
  expect(withoutMarkup(markdown)).toBe(words);
});
