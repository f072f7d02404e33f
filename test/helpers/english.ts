// Texts in tests are the English ones, as the app has loaded them before its first screen.

import app from '../../web/strings/en/app.json';
import files from '../../web/strings/en/files.json';
import inbox from '../../web/strings/en/inbox.json';
import prices from '../../web/strings/en/prices.json';
import table from '../../web/strings/en/table.json';
import views from '../../web/strings/en/views.json';
import writing from '../../web/strings/en/writing.json';
import { type Catalog, setCatalog } from '../../web/strings/messages.ts';

// The plugin in vitest.config.ts compiles what the type still shows as nested messages.
const english = Object.assign({}, app, files, inbox, prices, table, views, writing) as unknown as Catalog;

/** Also after a test that spoke another language. */
export function speakEnglish(tag = 'en'): void {
  setCatalog(english, tag);
}

/** Some texts in another language; what it does not have stays English. */
export function speak(tag: string, texts: Readonly<Record<string, string>>): void {
  setCatalog({ ...english, ...texts }, tag);
}

speakEnglish();
