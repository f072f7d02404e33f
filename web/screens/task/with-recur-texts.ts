// Texts about tasks that come again come with the part that shows them.

import { addMessages, type Catalog } from '../../strings/messages.ts';

export async function withRecurTexts<T>(part: Promise<T>): Promise<T> {
  await addMessages(import.meta.glob<Catalog>('../../strings/*/recur.json', { import: 'default' }));
  return part;
}
