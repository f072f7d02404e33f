// The effective user of this process: a command that was started as root writes as the owner of the data directory, and
// uses root's rights again only for a file that was named on its command line. Effective alone, so that both are possible.

export interface User {
  readonly uid: number;
  readonly gid: number;
}

let lent: User | null = null;

/** From now on files are read and written as this user, until what is returned is called. Only root can do it. */
export function actAs(user: User): () => void {
  const groups = process.getgroups?.() ?? [];
  process.setgroups?.([user.gid]);
  take(user);
  lent = user;
  return () => {
    lent = null;
    giveBack();
    process.setgroups?.(groups);
  };
}

/** What the owner may not do with a path that whoever started the command has named, root does. Synchronous: nothing else runs meanwhile. */
export function orAsRoot<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (lent === null || !['EACCES', 'EPERM'].includes(code)) throw error;
    const user = lent;
    giveBack();
    try {
      return act();
    } finally {
      take(user);
    }
  }
}

/** The group first: an ordinary user may not change it. */
function take({ uid, gid }: User): void {
  process.setegid?.(gid);
  process.seteuid?.(uid);
}

function giveBack(): void {
  process.seteuid?.(0);
  process.setegid?.(0);
}
