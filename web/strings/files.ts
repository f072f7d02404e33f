// The texts about files: fetched together with the first part of the app that needs them.

import { addMessages, type Catalog } from './messages.ts';

export function loadFilesMessages(): Promise<void> {
  return addMessages(import.meta.glob<Catalog>('./*/files.json', { import: 'default' }));
}
