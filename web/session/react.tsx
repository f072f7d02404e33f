// The session as React sees it, and the door it came through.

import type { ReactNode } from 'react';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Door } from '../sync/door.ts';
import type { PageSettings } from '../sync/page-settings.ts';
import type { SessionHolder, SessionState } from './session.ts';

export interface App {
  readonly settings: PageSettings;
  readonly door: Door;
  readonly holder: SessionHolder;
}

const AppContext = createContext<App | null>(null);

export function AppProvider({ app, children }: { app: App; children: ReactNode }) {
  return <AppContext value={app}>{children}</AppContext>;
}

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error('the app was not started');
  return app;
}

export function useSession(): SessionState {
  const { holder } = useApp();
  return useSyncExternalStore(holder.subscribe, () => holder.state);
}
