// The texts about writing: fetched together with the first part of the app that needs them.

import { addMessages, type Catalog } from './messages.ts';

export function loadWritingMessages(): Promise<void> {
  return addMessages(import.meta.glob<Catalog>('./*/writing.json', { import: 'default' }));
}
