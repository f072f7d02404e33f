// The page of all parts draws each component that web/ui and web/pieces export; its looks are seen in test/browser/parts.browser.test.ts.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawn, exported, notDrawn } from './helpers/drawn-parts.ts';

test('the page draws every component that ui and pieces export', () => {
  const text = ['ui', 'piece'].map((room) => readFileSync(`web/parts/${room}-parts.tsx`, 'utf8')).join('');
  const missing = drawn.filter(({ name }) => !new RegExp(`<${name}\\b|Draw: ${name}\\b`).test(text));
  expect(missing).toEqual([]);
  const names = exported.map(({ name }) => name);
  expect(Object.keys(notDrawn).filter((name) => !names.includes(name))).toEqual([]);
});
