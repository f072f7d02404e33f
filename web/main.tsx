// Starts the app: theme, door, session, then the screens.

import { createRoot } from 'react-dom/client';
import { listenToKeys } from './actions/keys.ts';
import { fetchAhead } from './screens.ts';
import { sessionPorts } from './session/ports.ts';
import { HouseProvider } from './session/react.tsx';
import { holdSession } from './session/session.ts';
import { App } from './shell/app.tsx';
import { openDoor } from './sync/door.ts';
import { readPageSettings } from './sync/page-settings.ts';
import { applyTheme, savedTheme } from './theme.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/forced-colors.css';
import './ui/field.css';

applyTheme(savedTheme());
fetchAhead(location.pathname);
const settings = readPageSettings(document);
const door = openDoor(settings, location.origin);
const holder = holdSession(sessionPorts(door));
void holder.start();
listenToKeys(document);

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <HouseProvider house={{ settings, door, holder }}>
    <App />
  </HouseProvider>,
);
