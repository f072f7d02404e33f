// Texts that come with the parts of the app that show them, each named for its files: web/strings/<language>/inbox.json.

import { loadModule } from '../load-module.ts';
import { addMessages, type Catalog } from './messages.ts';

export type Texts =
  | 'access'
  | 'account'
  | 'admin'
  | 'agents'
  | 'billing'
  | 'dashboard'
  | 'exports'
  | 'files'
  | 'groups'
  | 'import'
  | 'inbox'
  | 'keys'
  | 'move-to-project'
  | 'people'
  | 'plan'
  | 'planning'
  | 'programs'
  | 'reach'
  | 'recur'
  | 'settings'
  | 'shared'
  | 'sign-in'
  | 'starters'
  | 'steps'
  | 'table'
  | 'views'
  | 'webhooks'
  | 'writing';

/** What the first load and the landing page bring and what the server says is not among them. */
const catalogs = import.meta.glob<{ default: Catalog }>([
  './*/*.json',
  '!./*/{app,landing,pages,prices,mails,push,links,health}.json',
]);

export function loadTexts(...names: readonly Texts[]): Promise<void> {
  const isAsked = (path: string): boolean => names.some((name) => path.endsWith(`/${name}.json`));
  const asked = Object.entries(catalogs).filter(([path]) => isAsked(path));
  return addMessages(
    Object.fromEntries(asked.map(([path, load]) => [path, async () => (await loadModule(load)).default])),
  );
}
