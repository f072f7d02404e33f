// Error boundary of one part of a screen: when it throws, the rest stays and the part offers to try again. Another `of` tries by itself.

import { Component, type ReactNode } from 'react';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { Button } from './button.tsx';
import styles from './error-boundary.module.css';

interface PartProps {
  readonly children: ReactNode;
  /** The row or text it shows. */
  readonly of?: unknown;
  /** Shown instead of the words and the button, where there is no room or a simpler way to show the same. */
  readonly instead?: ReactNode;
}

interface State {
  readonly failed: boolean;
}

export class ErrorBoundary extends Component<PartProps, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override componentDidUpdate(before: PartProps): void {
    if (this.state.failed && before.of !== this.props.of) this.setState({ failed: false });
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    if (this.props.instead !== undefined) return this.props.instead;
    return (
      <div className={`${shapes.row} ${shapes.softS} ${shapes.wraps} ${styles.failed}`} role="alert">
        <span>{t('common.failed.part')}</span>
        <Button onClick={() => this.setState({ failed: false })}>{t('common.retry')}</Button>
      </div>
    );
  }
}
