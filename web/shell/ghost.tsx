// The frame before anyone knows who is here: its places stand still, and only a slow network lets them shimmer.

import { words } from '../strings/words.ts';
import { Skeleton } from '../ui/state.tsx';
import { Mark } from './mark.tsx';
import './ghost.css';

export function Ghost() {
  return (
    <div className="shell ghost" aria-busy="true">
      <p role="status" className="only-spoken">
        {words.common.loading}
      </p>
      <div className="sidebar" aria-hidden="true">
        <div className="nav">
          <span className="nav-home">
            <Mark />
          </span>
          <div className="ghost-lines">
            <Skeleton height="2rem" />
            <Skeleton width="55%" />
            <Skeleton width="65%" />
            <Skeleton width="60%" />
          </div>
        </div>
      </div>
      <div className="shell-body" aria-hidden="true">
        <div className="topbar">
          <Mark />
        </div>
        <div className="content">
          <div className="ghost-lines ghost-page">
            <Skeleton width="14rem" height="1.5rem" />
            <Skeleton width="24rem" />
          </div>
        </div>
      </div>
    </div>
  );
}
