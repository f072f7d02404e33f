// Titles and descriptions of tasks from what apps share.

import { expect, test } from 'vitest';
import { readShared } from './read-shared.ts';

const read = (parts: Readonly<Record<string, string>>) => readShared((name) => parts[name] ?? null);

test('a page shared by its title and link', () => {
  const link = 'https://tides.example/today';
  expect(read({ title: ' Tides \n today ', url: link })).toEqual({ title: 'Tides today', description: link });
  expect(read({ title: 'Tides', text: link })).toEqual({ title: 'Tides', description: link });
  expect(read({ title: 'Tides', text: `Look: ${link}`, url: link })).toEqual({
    title: 'Tides',
    description: `Look: ${link}`,
  });
});

test('a text or a link alone is the title; a longer text has its first line there, and all of it below', () => {
  expect(read({ text: 'Order rope' })).toEqual({ title: 'Order rope', description: '' });
  expect(read({ url: 'https://tides.example' })).toEqual({ title: 'https://tides.example', description: '' });
  expect(read({ text: 'Order rope\nforty metres' })).toEqual({
    title: 'Order rope',
    description: 'Order rope\nforty metres',
  });
  expect(read({})).toEqual({ title: '', description: '' });
});

test('a line longer than a title is cut, and is whole in the description', () => {
  const long = 'rope '.repeat(200).trim();
  const { title, description } = read({ text: long });
  expect([...title].length).toBe(500);
  expect(title.endsWith('…')).toBe(true);
  expect(description).toBe(long);
  expect(read({ title: long, url: 'https://tides.example' }).description).toBe(`${long}\n\nhttps://tides.example`);
});
