// The texts about what a task is planned with: fetched together with the first part of the app that needs them.

import { addMessages, type Catalog } from './messages.ts';

export function loadPlanMessages(): Promise<void> {
  return addMessages(import.meta.glob<Catalog>('./*/plan.json', { import: 'default' }));
}
