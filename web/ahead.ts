// Begins to fetch what the address needs while the app's own code is on its way: the page names it as a script that waits for nothing.

import { screenModules, screensAt } from './screen-modules.ts';
import { wantedLanguages } from './strings/language.ts';

const catalogs = import.meta.glob('./strings/*/{app,prices}.json');
const [language = 'en'] = wantedLanguages().slice(-1);
const texts = Object.entries(catalogs).filter(([path]) => path.includes(`/${language}/`));
const screens = screensAt(location.pathname).map((name) => screenModules[name]);
// Whoever needs it asks for it again, and says what went wrong.
for (const load of [...texts.map(([, load]) => load), ...screens]) load().catch(() => undefined);
