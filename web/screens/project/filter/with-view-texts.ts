// Texts about filters and saved views come with the first part that shows them.

import { addMessages, type Catalog } from '../../../strings/messages.ts';

export async function withViewTexts<T>(screen: Promise<T>): Promise<T> {
  await addMessages(import.meta.glob<Catalog>('../../../strings/*/views.json', { import: 'default' }));
  return screen;
}
