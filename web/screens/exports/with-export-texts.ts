// The texts of exports come with what shows them.

import { addMessages, type Catalog } from '../../strings/messages.ts';

export async function withExportTexts<T>(screen: Promise<T>): Promise<T> {
  await addMessages(import.meta.glob<Catalog>('../../strings/*/exports.json', { import: 'default' }));
  return screen;
}
