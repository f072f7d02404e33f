// The session as React sees it, and the door it came through.

import type { ReactNode } from 'react';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Door } from '../sync/door.ts';
import type { PageSettings } from '../sync/page-settings.ts';
import type { SessionHolder, SessionState } from './session.ts';

export interface House {
  readonly settings: PageSettings;
  readonly door: Door;
  readonly holder: SessionHolder;
}

const HouseContext = createContext<House | null>(null);

export function HouseProvider({ house, children }: { house: House; children: ReactNode }) {
  return <HouseContext value={house}>{children}</HouseContext>;
}

export function useHouse(): House {
  const house = useContext(HouseContext);
  if (house === null) throw new Error('the app was not started');
  return house;
}

export function useSession(): SessionState {
  const { holder } = useHouse();
  return useSyncExternalStore(holder.subscribe, () => holder.state);
}
