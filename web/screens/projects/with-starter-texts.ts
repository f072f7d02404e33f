// Texts of what a project may begin with, and of the first steps, come with the screens that show them.

import { addMessages, type Catalog } from '../../strings/messages.ts';

export async function withStarterTexts<T>(screen: Promise<T>): Promise<T> {
  await addMessages(import.meta.glob<Catalog>('../../strings/*/starters.json', { import: 'default' }));
  return screen;
}
