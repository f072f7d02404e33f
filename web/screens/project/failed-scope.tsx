// Notice for a failed fetch: says so, keeps showing known rows, offers a retry.

import type { ReactNode } from 'react';
import { type SourceState, useRefresh } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Notice } from '../../ui/list-states.tsx';
import { DropKeys } from '../../ui/overlays/buffered-keys.ts';

export function FailedScope({ state }: { state: SourceState }) {
  if (state.phase !== 'failed') return null;
  if (!state.remembered) return <FailedState />;
  return (
    <Notice tone="warn">
      {navigator.onLine ? t('common.stale') : t('common.offline')} <Retry />
    </Notice>
  );
}

/** Where nothing is known that could be shown meanwhile. */
export function FailedState({ wayOut }: { wayOut?: ReactNode }) {
  return (
    <EmptyState
      title={t('common.failed.title')}
      action={
        <>
          {wayOut}
          <Retry />
        </>
      }
    >
      <DropKeys />
      <p>{t('common.failed.words')}</p>
    </EmptyState>
  );
}

function Retry() {
  const refresh = useRefresh();
  return <Button onClick={() => void refresh()}>{t('common.retry')}</Button>;
}
