// States of a list without rows: empty, loading, failed, nothing found.

import type { ReactNode } from 'react';
import shapes from '../styles/shapes.module.css';
import { capital } from './capital.ts';
import styles from './list-states.module.css';
import { HoldKeysForScreen } from './overlays/buffered-keys.ts';

export function EmptyState({
  art,
  title,
  children,
  action,
  whole = false,
}: {
  art?: ReactNode;
  title: string;
  /** All that a page has to say. */
  whole?: boolean;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const Title = whole ? 'h1' : 'h2';
  return (
    <div className={`${shapes.stackS3} ${shapes.centred} ${styles.state}`}>
      {art && (
        <div className={styles.stateArt} aria-hidden="true">
          {art}
        </div>
      )}
      <Title className={styles.stateTitle}>{title}</Title>
      {children && <div className={`${shapes.soft} ${styles.stateWords}`}>{children}</div>}
      {action && <div className={`${shapes.wrapS3} ${styles.stateAction}`}>{action}</div>}
    </div>
  );
}

export function Skeleton({ width, height = '0.875rem' }: { width?: string; height?: string }) {
  return (
    <span
      className={`${shapes.block} ${shapes.roundS} ${shapes.within} ${styles.skeleton}`}
      style={{ width: width ?? '100%', height }}
      aria-hidden="true"
    />
  );
}

/** Says once, for those who listen, that something is loading. */
export function Loading({
  label,
  whole = false,
  children,
}: {
  label: string;
  /** In the place of a screen or of an open task: keys wait for it. */
  whole?: boolean;
  children?: ReactNode;
}) {
  return (
    <div aria-busy="true">
      {whole && <HoldKeysForScreen />}
      <p role="status" className="only-spoken">
        {label}
      </p>
      {children}
    </div>
  );
}

export function Notice({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'warn' | 'danger' | 'good';
  children: ReactNode;
}) {
  return (
    <div
      className={`${shapes.outlined} ${styles.notice} ${tone === 'plain' ? '' : styles[`notice${capital(tone)}`]}`}
      role={tone === 'danger' ? 'alert' : 'status'}
    >
      {children}
    </div>
  );
}
