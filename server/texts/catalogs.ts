// Compiled messages of the server by language: those in web/strings/<language> that scripts/strings.mjs names. The build puts them in here,
// and Vitest does.

import type { Catalog } from '../../contract/say-message.ts';

export const catalogs: Readonly<Record<string, Catalog>> = {};
