// When there is nothing yet, nothing found, something wrong, or something on its way.

import type { ReactNode } from 'react';
import './state.css';

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
    <div className="state">
      {art && (
        <div className="state-art" aria-hidden="true">
          {art}
        </div>
      )}
      <Title className="state-title">{title}</Title>
      {children && <div className="state-words">{children}</div>}
      {action && <div className="state-action">{action}</div>}
    </div>
  );
}

export function Skeleton({ width, height = '0.875rem' }: { width?: string; height?: string }) {
  return <span className="skeleton" style={{ width: width ?? '100%', height }} aria-hidden="true" />;
}

/** Says once, for those who listen, that something is loading. */
export function Loading({ label, children }: { label: string; children?: ReactNode }) {
  return (
    <div className="loading" aria-busy="true">
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
    <div className={`notice notice-${tone}`} role={tone === 'danger' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
