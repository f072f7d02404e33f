// Loads the texts on moving a task to another project, together with the dialog.

import { addMessages, type Catalog } from '../../strings/messages.ts';

export async function withCarryTexts<T>(dialog: Promise<T>): Promise<T> {
  await addMessages(import.meta.glob<Catalog>('../../strings/*/carry.json', { import: 'default' }));
  return dialog;
}
