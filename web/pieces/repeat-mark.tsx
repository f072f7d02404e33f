// The sign of a task that comes again by a rule, wherever the task is met.

import { Repeat } from 'lucide-react';
import { t } from '../strings/messages.ts';
import styles from './marks.module.css';

export function RepeatMark({ size = 13, className = '' }: { size?: number; className?: string }) {
  return (
    <span className={`${styles.fact} ${className}`} title={t('task.comesAgain')}>
      <Repeat size={size} aria-hidden="true" />
      <span className="only-spoken">{t('task.comesAgain')}</span>
    </span>
  );
}
