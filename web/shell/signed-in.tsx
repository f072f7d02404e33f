// Around everything that needs someone to be signed in: their rows, or a ghost of the app until they are open.

import type { ReactNode } from 'react';
import { projectIn } from '../routes.ts';
import { OwnRows } from '../session/own-rows.tsx';
import { LoadingFrame } from './loading-frame.tsx';

export function SignedIn({ userId, children }: { userId: string; children: ReactNode }) {
  const at = projectIn(window.location.pathname);
  return (
    <OwnRows userId={userId} projectId={at?.projectId ?? null} waiting={<LoadingFrame />}>
      {children}
    </OwnRows>
  );
}
