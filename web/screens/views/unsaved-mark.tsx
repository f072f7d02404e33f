// Dot that marks unsaved changes of a view.

import { t } from '../../strings/messages.ts';
import styles from './view-saving.module.css';

export function UnsavedMark({ className = '' }: { className?: string | undefined }) {
  return (
    <span className={`${styles.unsaved} ${className}`} role="status" title={t('views.unsaved')}>
      <span className="only-spoken">{t('views.unsaved')}</span>
    </span>
  );
}
