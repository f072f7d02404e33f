// Around everything that needs someone to be signed in: their rows, or a ghost of the app until they are open.

import type { ReactNode } from 'react';
import { projectIn } from '../routes.ts';
import { OwnRows, openAhead } from '../session/own-rows.tsx';
import type { App } from '../session/react.tsx';
import { LoadingFrame } from './loading-frame.tsx';

/** The project that the address names is on its way before its screen is. */
const projectHere = (): string | null => projectIn(window.location.pathname)?.projectId ?? null;

/** True: this device remembers all that is shown first. */
export const openRowsAhead = (door: App['door']): Promise<boolean> => openAhead(door, projectHere()).catch(() => false);

export function SignedIn({ userId, children }: { userId: string; children: ReactNode }) {
  return (
    <OwnRows userId={userId} projectId={projectHere()} waiting={<LoadingFrame />}>
      {children}
    </OwnRows>
  );
}
