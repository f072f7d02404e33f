// Texts that come with the parts of the app that show them, each named for its files: web/strings/<language>/inbox.json.

import { addMessages, type Catalog } from './messages.ts';

export type Texts =
  | 'admin'
  | 'exports'
  | 'files'
  | 'import'
  | 'inbox'
  | 'move-to-project'
  | 'people'
  | 'plan'
  | 'planning'
  | 'recur'
  | 'settings'
  | 'starters'
  | 'steps'
  | 'table'
  | 'views'
  | 'writing';

/** What the first load and the landing page bring and what the server says is not among them. */
const catalogs = import.meta.glob<Catalog>(
  ['./*/*.json', '!./*/{app,landing,pages,prices,mails,push,links,health}.json'],
  {
    import: 'default',
  },
);

export function loadTexts(...names: readonly Texts[]): Promise<void> {
  const isAsked = (path: string): boolean => names.some((name) => path.endsWith(`/${name}.json`));
  return addMessages(Object.fromEntries(Object.entries(catalogs).filter(([path]) => isAsked(path))));
}
