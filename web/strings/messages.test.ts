// Catalogs that arrive in any order.

import { expect, test, vi } from 'vitest';

test('a part that is asked for before the language is known comes in that language, and is not overwritten', async () => {
  vi.resetModules();
  const { addMessages, setCatalog, t } = await import('./messages.ts');
  const added = addMessages({
    './en/more.json': async () => ({ 'common.close': 'Close' }),
    './de/more.json': async () => ({ 'common.close': 'Schließen' }),
  });
  // Long enough for a part that did not wait.
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  setCatalog({ 'common.none': 'Keine' }, 'de');
  await added;
  expect([t('common.none'), t('common.close')]).toEqual(['Keine', 'Schließen']);
});
