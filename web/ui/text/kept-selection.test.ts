import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keptSelection } from './kept-selection.ts';

/** What is selected stands between [ and ]. */
function kept(marked: string, after: string): string {
  const [start, end] = [marked.indexOf('['), marked.indexOf(']') - 1];
  const now = keptSelection(marked.replace(/[[\]]/g, ''), { start, end }, after);
  return `${after.slice(0, now.start)}[${after.slice(now.start, now.end)}]${after.slice(now.end)}`;
}

test.each([
  ['words stand later', 'Red [rust]', 'Much red, Red rust', 'Much red, Red [rust]'],
  ['words stand earlier', 'On the red [hull]', 'On hull', 'On [hull]'],
  ['another line is new', 'One\nTwo [three]', 'Nought\nOne\nTwo three', 'Nought\nOne\nTwo [three]'],
  ['a word came between', 'Paint [the crane] red', 'Paint the old crane red', 'Paint [the old crane] red'],
  ['the first word is gone', 'Paint [the crane] red', 'Paint a crane red', 'Paint a[ crane] red'],
  ['all was selected', '[Red rust]', 'Red rust on the hull', '[Red rust] on the hull'],
  ['little is the same', 'Red [rust] on the old hull', 'All gone but rust, they say', 'All gone but [rust], they say'],
  ['nothing is the same', 'Red [rust]', 'Blue paint', '[]Blue paint'],
  ['a caret among what stays', 'Red ru[]st', 'Old red. Red rust', 'Old red. Red ru[]st'],
  ['a caret at the end', 'Red rust[]', 'Blue paint', 'Blue paint[]'],
  ['a caret where words are added', 'Red rust[]', 'Red rust and paint', 'Red rust[] and paint'],
  ['words come into an empty text', '[]', 'Red rust', 'Red rust[]'],
  ['the text is gone', 'Red [rust]', '', '[]'],
])('%s', (_, before, after, expected) => {
  expect(kept(before, after)).toBe(expected);
});

const prose = fc.array(fc.constantFrom('red', 'paint', ' ', '\n', '.', '👍'), { maxLength: 16 });

test('a selection is a part of the new text, and words between new ones stay selected', () => {
  fc.assert(
    fc.property(prose, prose, prose, (head, words, tail) => {
      const [before, added] = [words.join(''), tail.join('')];
      const chosen = { start: 0, end: before.length };
      const { start, end } = keptSelection(before, chosen, head.join('') + added);
      expect(0 <= start && start <= end && end <= (head.join('') + added).length).toBe(true);
      if (before.trim() === '') return;
      const after = `${head.join('')}\n${before}\n${added}`;
      const now = keptSelection(before, chosen, after);
      expect(after.slice(now.start, now.end)).toContain(before.trim());
    }),
  );
});
