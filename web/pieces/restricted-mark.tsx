// Icon of a restricted task.

import { Lock } from 'lucide-react';
import { t } from '../strings/messages.ts';
import styles from './task-badges.module.css';

export function RestrictedMark({ size = 13, className = '' }: { size?: number; className?: string }) {
  return (
    <span className={`${styles.fact} ${className}`} title={t('task.restricted')} data-restricted>
      <Lock size={size} aria-hidden="true" />
      <span className="only-spoken">{t('task.restricted')}</span>
    </span>
  );
}
