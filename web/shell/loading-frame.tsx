// Frame of the app while the session is restored: its places stand still, and only a slow network lets them shimmer.

import { Logo } from '../pieces/logo.tsx';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { Skeleton } from '../ui/list-states.tsx';
import styles from './loading-frame.module.css';
import shellStyles from './shell.module.css';

export function LoadingFrame() {
  return (
    <div className={shellStyles.shell} aria-busy="true">
      <p role="status" className="only-spoken">
        {t('common.loading')}
      </p>
      <div className={`${shapes.onScreen} ${shellStyles.sidebar}`} aria-hidden="true">
        <div className={`${shapes.column} ${shellStyles.nav}`}>
          <span className={shellStyles.navHome}>
            <Logo />
          </span>
          <div className={`${shapes.stackS5} ${styles.ghostLines} ${styles.ghostNav}`}>
            <Skeleton height="2rem" />
            <Skeleton width="55%" />
            <Skeleton width="65%" />
            <Skeleton width="60%" />
          </div>
        </div>
      </div>
      <div className={`${shapes.column} ${shellStyles.shellBody}`} aria-hidden="true">
        <div className={`${shapes.onScreen} ${shellStyles.topbar} ${styles.ghostTopbar}`}>
          <Logo />
        </div>
        <div className={`${shapes.scroll} ${shapes.unringed} ${shapes.unrolled} ${shellStyles.content}`}>
          <div className={`${shapes.stackS5} ${styles.ghostLines} ${styles.ghostPage}`}>
            <Skeleton width="14rem" height="1.5rem" />
            <Skeleton width="24rem" />
          </div>
        </div>
      </div>
    </div>
  );
}
