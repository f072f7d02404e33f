// Texts about days and plans come with the screens that show them.

import { addMessages, type Catalog } from '../../strings/messages.ts';

export async function withPlanningTexts<T>(screen: Promise<T>): Promise<T> {
  await addMessages(import.meta.glob<Catalog>('../../strings/*/planning.json', { import: 'default' }));
  return screen;
}
