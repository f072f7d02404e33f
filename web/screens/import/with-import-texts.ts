// Texts of imports come with their screen.

import { addMessages, type Catalog } from '../../strings/messages.ts';

export async function withImportTexts<T>(screen: Promise<T>): Promise<T> {
  await addMessages(import.meta.glob<Catalog>('../../strings/*/import.json', { import: 'default' }));
  return screen;
}
