// Leaving: asks when something would be lost; the session then ends here whatever the server says.

import { useCallback } from 'react';
import { useLocation } from 'wouter';
import { useHasUploads } from '../files/upload-signal.ts';
import { paths } from '../routes.ts';
import { useLastCall } from '../session/own-rows.tsx';
import { useApp } from '../session/react.tsx';
import { t } from '../strings/messages.ts';

export function useSignOut(): () => Promise<void> {
  const { holder } = useApp();
  const lastCall = useLastCall();
  const hasUploads = useHasUploads();
  const [, go] = useLocation();
  return useCallback(async () => {
    if (((await lastCall()) || hasUploads) && !confirm(t('common.unsent.leave'))) return;
    await holder.signOut();
    go(paths.signIn);
  }, [holder, lastCall, hasUploads, go]);
}
