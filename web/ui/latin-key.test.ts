import { expect, test } from 'vitest';
import { latinKey } from './latin-key.ts';

test.each([
  ['с', 'KeyC', 'c'],
  ['Л', 'KeyK', 'k'],
  ['ψ', 'KeyC', 'c'],
  ['ב', 'KeyC', 'c'],
  ['ش', 'KeyA', 'a'],
  ['لا', 'KeyB', 'b'],
  ['х', 'BracketLeft', '['],
  // Latin layouts mean the letter, not its place.
  ['q', 'KeyA', 'q'],
  ['ö', 'Semicolon', 'ö'],
  ['Escape', 'Escape', 'Escape'],
])('%s on %s is %s', (key, code, meant) => {
  expect(latinKey({ key, code })).toBe(meant);
});
