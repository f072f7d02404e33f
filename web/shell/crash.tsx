// Error boundary of a screen: keeps the rest of the app and offers to reload.

import type { ReactNode } from 'react';
import { Component } from 'react';
import { forgetSnapshots } from '../session/own-rows.tsx';
import { t } from '../strings/messages.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/list-states.tsx';

/** What this device remembers may be what broke the screen: then it would break it again. */
function loadAgain(): void {
  void forgetSnapshots().finally(() => location.reload());
}

interface State {
  readonly error: Error | null;
}

export class Crash extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <div role="alert">
        <EmptyState
          title={t('common.failed.crashTitle')}
          action={
            <Button look="main" onClick={loadAgain}>
              {t('common.reload')}
            </Button>
          }
        >
          <p>{t('common.failed.crashWords')}</p>
        </EmptyState>
      </div>
    );
  }
}
