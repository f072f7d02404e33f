// A server that was started as root gives that up as soon as it listens, for good, and goes on as the user its Postgres
// runs as. What it still has to read and write must be open to that user; where it is not, it stays root and says why.

import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { closedTo } from './closed-to.ts';
import { handOverNew, ownerOfData } from './own-data.ts';

export function leaveRoot(config: Config, log: Logger): void {
  const { setgroups, setgid, setuid } = process;
  const owner = ownerOfData(config);
  if (owner === null || setgroups === undefined || setgid === undefined || setuid === undefined) return;
  handOverNew(config);
  const closed = closedTo(owner, config);
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
