// The first steps' texts come with the screen that shows them; those of templates with all that shows them.

import { addMessages, type Catalog } from '../../strings/messages.ts';

export async function withStarterTexts<T>(screen: Promise<T>): Promise<T> {
  await addMessages(import.meta.glob<Catalog>('../../strings/*/starters.json', { import: 'default' }));
  return screen;
}

export async function withStepTexts<T>(screen: Promise<T>): Promise<T> {
  await addMessages(import.meta.glob<Catalog>('../../strings/*/steps.json', { import: 'default' }));
  return screen;
}
