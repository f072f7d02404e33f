// The first steps' texts come with the screen that shows them; those of what a project may begin with, when one is to begin so.

import { addMessages, type Catalog } from '../../strings/messages.ts';

export const loadStarterTexts = (): Promise<void> =>
  addMessages(import.meta.glob<Catalog>('../../strings/*/starters.json', { import: 'default' }));

export async function withStarterTexts<T>(screen: Promise<T>): Promise<T> {
  await loadStarterTexts();
  return screen;
}

export async function withStepTexts<T>(screen: Promise<T>): Promise<T> {
  await addMessages(import.meta.glob<Catalog>('../../strings/*/steps.json', { import: 'default' }));
  return screen;
}
