// Logo and name of the product.

import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import styles from './logo.module.css';

export function Logo() {
  return (
    <span className={`${shapes.inlineS3} ${styles.mark}`}>
      <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
        <rect width="32" height="32" rx="8" className={styles.markGround} />
        <rect x="7" y="7" width="5" height="18" rx="2" className={styles.markOne} />
        <rect x="13.5" y="7" width="5" height="12" rx="2" className={styles.markTwo} />
        <rect x="20" y="7" width="5" height="7" rx="2" className={styles.markThree} />
      </svg>
      {t('common.product')}
    </span>
  );
}
