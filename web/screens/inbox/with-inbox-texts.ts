// Texts of the inbox, and of what one hears of, come with the screens that show them.

import { addMessages, type Catalog } from '../../strings/messages.ts';

export async function withInboxTexts<T>(screen: Promise<T>): Promise<T> {
  await addMessages(import.meta.glob<Catalog>('../../strings/*/inbox.json', { import: 'default' }));
  return screen;
}
