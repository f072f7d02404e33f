// As whom the embedded Postgres runs, and so whose the data directory is. Postgres refuses to be root, so a server started as
// root lends it a user: the owner of the directory, the account `kanbase`, or a number nobody else has.

import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface ClusterUser {
  readonly uid: number;
  readonly gid: number;
}

/** Outside of what systems hand out to people, services and containers' ranges. */
const firstUid = 54_329;

/** Null when we are not root: Postgres runs as whoever runs us. */
export function chooseClusterUser(pgdata: string, passwd = '/etc/passwd'): ClusterUser | null {
  if (process.getuid?.() !== 0) return null;
  // A directory that served a user before keeps that user, so that they can use it again; so does one that was made for somebody.
  for (const path of [pgdata, dirname(pgdata)]) {
    const owner = statSync(path, { throwIfNoEntry: false });
    if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  }
  const taken = new Set<number>();
  for (const line of readLines(passwd)) {
    const [name, , uid, gid] = line.split(':');
    if (name === 'kanbase' && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
    taken.add(Number(uid));
  }
  let uid = firstUid;
  while (taken.has(uid)) uid++;
  return { uid, gid: uid };
}

/**
 * `initdb` insists on a user with a name; the server itself does not. So the cluster is made by an account that every
 * system has, and handed over afterwards.
 */
export function chooseInitUser(servant: ClusterUser | null, passwd = '/etc/passwd'): ClusterUser | null {
  if (servant === null) return null;
  let fallback: ClusterUser | null = null;
  for (const line of readLines(passwd)) {
    const [name, , uidText, gidText] = line.split(':');
    const account = { uid: Number(uidText), gid: Number(gidText) };
    if (account.uid === servant.uid) return account;
    if (account.uid > 0 && (name === 'nobody' || fallback === null)) fallback = account;
  }
  if (fallback === null)
    throw new Error(
      'Started as root on a system with no other account in /etc/passwd; add one, or start as another user',
    );
  return fallback;
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.includes(':'));
  } catch {
    return [];
  }
}
