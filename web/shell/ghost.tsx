// The frame before anyone knows who is here: its places stand still, and only a slow network lets them shimmer.

import { Mark } from '../pieces/mark.tsx';
import { t } from '../strings/messages.ts';
import { Skeleton } from '../ui/state.tsx';
import styles from './ghost.module.css';
import shellStyles from './shell.module.css';

export function Ghost() {
  return (
    <div className={shellStyles.shell} aria-busy="true">
      <p role="status" className="only-spoken">
        {t('common.loading')}
      </p>
      <div className={shellStyles.sidebar} aria-hidden="true">
        <div className={shellStyles.nav}>
          <span className={shellStyles.navHome}>
            <Mark />
          </span>
          <div className={`${styles.ghostLines} ${styles.ghostNav}`}>
            <Skeleton height="2rem" />
            <Skeleton width="55%" />
            <Skeleton width="65%" />
            <Skeleton width="60%" />
          </div>
        </div>
      </div>
      <div className={shellStyles.shellBody} aria-hidden="true">
        <div className={`${shellStyles.topbar} ${styles.ghostTopbar}`}>
          <Mark />
        </div>
        <div className={shellStyles.content}>
          <div className={`${styles.ghostLines} ${styles.ghostPage}`}>
            <Skeleton width="14rem" height="1.5rem" />
            <Skeleton width="24rem" />
          </div>
        </div>
      </div>
    </div>
  );
}
