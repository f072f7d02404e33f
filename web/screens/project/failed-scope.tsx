// When news cannot be had: say it plainly, keep showing what is known, offer to ask again.

import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { ScopeState } from '../../sync/watch.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Notice } from '../../ui/state.tsx';

export function FailedScope({ state }: { state: ScopeState }) {
  const { watch } = useSync();
  if (state.phase !== 'failed') return null;
  const retry = <Button onClick={() => void watch.refresh()}>{words.common.retry}</Button>;
  if (state.remembered)
    return (
      <Notice tone="warn">
        {navigator.onLine ? words.common.stale : words.common.offline} {retry}
      </Notice>
    );
  return (
    <EmptyState title={words.common.failed.title} action={retry}>
      <p>{words.common.failed.words}</p>
    </EmptyState>
  );
}
