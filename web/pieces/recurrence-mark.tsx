// Icon of a recurring task.

import { Repeat } from 'lucide-react';
import { t } from '../strings/messages.ts';
import styles from './task-badges.module.css';

export function RecurrenceMark({ size = 13, className = '' }: { size?: number; className?: string }) {
  return (
    <span className={`${styles.fact} ${className}`} title={t('task.comesAgain')}>
      <Repeat size={size} aria-hidden="true" />
      <span className="only-spoken">{t('task.comesAgain')}</span>
    </span>
  );
}
