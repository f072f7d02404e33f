import { expect, test } from 'vitest';
import { tickLine } from './tick-markdown.ts';

const text = `Steps:

- [ ] one
- [x] two
    * [ ] in between
> - [ ] quoted
>   1. [ ] deep

\`\`\`md
- [ ] code
\`\`\`

- [ ] one
- - [ ] twice a list`;

test.each([
  [0, true, '- [ ] one', '- [x] one', 0],
  [1, false, '- [x] two', '- [ ] two', 0],
  [2, true, '    * [ ] in between', '    * [x] in between', 0],
  [3, true, '> - [ ] quoted', '> - [x] quoted', 0],
  [4, true, '>   1. [ ] deep', '>   1. [x] deep', 0],
  [5, true, '- [ ] one', '- [x] one', 1],
  [6, true, '- - [ ] twice a list', '- - [x] twice a list', 0],
])('box %i is one line', (place, done, line, changed, nth) => {
  expect(tickLine(text, place, done)).toMatchObject({ line, changed, nth });
});

test('there is none beyond the last, and none in code', () => {
  expect(tickLine(text, 7, true)).toBeNull();
  expect(tickLine('    - [ ] code', 0, true)).toBeNull();
});
