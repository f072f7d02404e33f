// Texts of the operator's desk come with its screen.

import { addMessages, type Catalog } from '../../strings/messages.ts';

export async function withDeskTexts<T>(screen: Promise<T>): Promise<T> {
  await addMessages(import.meta.glob<Catalog>('../../strings/*/{desk,people}.json', { import: 'default' }));
  return screen;
}
