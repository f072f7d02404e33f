// Frame of the app while the session is restored: its places stand still, and only a slow network lets them shimmer.

import { Logo } from '../pieces/logo.tsx';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { Skeleton } from '../ui/list-states.tsx';
import styles from './loading-frame.module.css';
import shellStyles from './shell.module.css';

export function LoadingFrame() {
  return (
    <div className={`${shapes.grid} ${shellStyles.shell}`} aria-busy="true">
      <p role="status" className="only-spoken">
        {t('common.loading')}
      </p>
      <div className={`${shapes.onScreen} ${shapes.paper} ${shapes.short} ${shellStyles.sidebar}`} aria-hidden="true">
        <div className={`${shapes.column} ${shapes.tall}`}>
          <span className={`${shapes.block} ${shapes.roundM} ${shellStyles.navHome}`}>
            <Logo />
          </span>
          <div className={`${shapes.stackS5} ${shapes.oneColumn} ${styles.ghostLines} ${shapes.sideS2}`}>
            <Skeleton height="2rem" />
            <Skeleton width="55%" />
            <Skeleton width="65%" />
            <Skeleton width="60%" />
          </div>
        </div>
      </div>
      <div className={`${shapes.column} ${shapes.slim} ${shapes.short}`} aria-hidden="true">
        <div
          className={`${shapes.onScreen} ${shapes.rigid} ${shapes.level} ${shapes.paper} ${shellStyles.topbar} ${styles.ghostTopbar}`}
        >
          <Logo />
        </div>
        <div className={`${shapes.scroll} ${shapes.unringed} ${shapes.unrolled} ${shellStyles.content}`}>
          <div className={`${shapes.stackS5} ${shapes.oneColumn} ${styles.ghostLines} ${styles.ghostPage}`}>
            <Skeleton width="14rem" height="1.5rem" />
            <Skeleton width="24rem" />
          </div>
        </div>
      </div>
    </div>
  );
}
