// Drops root privileges for good once a server that was started as root listens, and continues as the user of its Postgres. If that user can't access
// a path that is needed later, the server stays root and logs the path.

import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { chownNew, ownerOfData } from './data-ownership.ts';
import { findClosedPath } from './find-closed-path.ts';

export function dropRoot(config: Config, log: Logger): void {
  const { setgroups, setgid, setuid } = process;
  const owner = ownerOfData(config);
  if (owner === null || setgroups === undefined || setgid === undefined || setuid === undefined) return;
  chownNew(config);
  const closed = findClosedPath(owner, config);
  if (closed !== null) {
    log.warn(
      { path: closed, uid: owner.uid },
      'still running as root, because this path is closed to the user of the database: move it where that user may use it (such as /opt and /var/lib), or start as an ordinary user',
    );
    return;
  }
  setgroups([owner.gid]);
  setgid(owner.gid);
  setuid(owner.uid);
  log.debug({ uid: owner.uid }, 'no longer root');
}
