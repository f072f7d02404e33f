// Days in sentences, by language.

import { expect, test } from 'vitest';
import { sayDay } from '../../contract/say-day.ts';

test('a day is written as the language writes it, and what is no day is left alone', () => {
  expect(sayDay('2026-05-15', 'en')).toBe('15 May 2026');
  expect(sayDay('2026-05-15', 'de')).toBe('15. Mai 2026');
  expect(sayDay('soon', 'de')).toBe('soon');
});
