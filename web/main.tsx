// Starts the app: theme, door, session, then the screens.

import { createRoot } from 'react-dom/client';
import { listenToKeys } from './actions/keys.ts';
import { followTarget } from './actions/target.ts';
import { fetchAhead } from './screens.ts';
import { dropAhead } from './session/own-rows.tsx';
import { sessionPorts } from './session/ports.ts';
import { AppProvider } from './session/react.tsx';
import { holdSession } from './session/session.ts';
import { App } from './shell/app.tsx';
import { openRowsAhead } from './shell/signed-in.tsx';
import { followAccount, wantedLanguages } from './strings/language.ts';
import { type Catalog, loadMessages } from './strings/messages.ts';
import { openDoor } from './sync/door.ts';
import { readPageSettings } from './sync/page-settings.ts';
import { applySavedDensity, applyTheme, savedTheme } from './theme.ts';
import './styles/tokens.css';
import './styles/base.css';

const messages = loadMessages(
  import.meta.glob<Catalog>('./strings/*/{app,prices}.json', { import: 'default' }),
  wantedLanguages(),
);
/** So long a frame without a screen is worse than nothing. */
const late = new Promise<false>((resolve) => setTimeout(resolve, 500, false));

applyTheme(savedTheme());
applySavedDensity();
fetchAhead(location.pathname);
const settings = readPageSettings(document);
const door = openDoor(settings, location.origin);
const holder = holdSession(sessionPorts(door, followAccount));
const started = holder.start().then(() => holder.state.user === null && dropAhead());
const rows = openRowsAhead(door);
listenToKeys(document);
followTarget(document);

const [, isRemembered] = await Promise.all([messages, Promise.race([rows, late])]);
// All that is shown first is here: it is drawn once.
if (isRemembered) await Promise.race([started, late]);
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <AppProvider app={{ settings, door, holder }}>
    <App />
  </AppProvider>,
);
