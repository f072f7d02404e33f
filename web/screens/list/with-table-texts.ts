// Texts about columns and cells come with the list.

import { addMessages, type Catalog } from '../../strings/messages.ts';

export async function withTableTexts<T>(screen: Promise<T>): Promise<T> {
  await addMessages(import.meta.glob<Catalog>('../../strings/*/table.json', { import: 'default' }));
  return screen;
}
