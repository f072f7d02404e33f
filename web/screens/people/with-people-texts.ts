// Texts about people, invitations, accounts and what was put away come with the screens that show them.

import { addMessages, type Catalog } from '../../strings/messages.ts';

export async function withPeopleTexts<T>(screen: Promise<T>): Promise<T> {
  await addMessages(import.meta.glob<Catalog>('../../strings/*/people.json', { import: 'default' }));
  return screen;
}
