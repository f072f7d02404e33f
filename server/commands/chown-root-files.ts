// Gives what root made in a tree to the user whom the tree belongs to. That user may write in it while we walk as root, so
// directories are entered by their handles: no link they put in the way leads out of the tree.

import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
} from 'node:fs';
import { join } from 'node:path';
import type { User } from '../effective-user.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Made by mkfs at the top of a file system, and fsck's. */
const neverGiven = 'lost+found';

/** `except`: names directly below `path` that are given themselves, but not entered. */
export function chownRootFiles(path: string, user: User, except: readonly string[] = []): void {
  const top = realpathSync(path);
  withOpen(top, O_DIRECTORY, (handle) => giveBelow(handle, top, user, except));
}

function giveBelow(handle: number, path: string, user: User, except: readonly string[]): void {
  // Linux names what lies in an opened directory; elsewhere there is only its path.
  const here = process.platform === 'linux' ? `/proc/self/fd/${handle}` : path;
  for (const name of readdirSync(here)) {
    const below = join(here, name);
    const stats = lstatSync(below, { throwIfNoEntry: false });
    if (stats === undefined || name === neverGiven) continue;
    if (stats.isDirectory())
      withOpen(below, O_DIRECTORY, (opened) => {
        if (except.includes(name)) giveOpened(opened, user);
        else giveBelow(opened, join(path, name), user, []);
      });
    else if (stats.uid !== 0) continue;
    else if (stats.isFile()) withOpen(below, O_NONBLOCK, (opened) => giveOpened(opened, user));
    // A link or a socket itself, not what it leads to.
    else lchownSync(below, user.uid, user.gid);
  }
  giveOpened(handle, user);
}

/** A file with further names may have one of them elsewhere. */
function giveOpened(handle: number, user: User): void {
  const stats = fstatSync(handle);
  if (stats.uid === 0 && (stats.isDirectory() || stats.nlink === 1)) fchownSync(handle, user.uid, user.gid);
}

function withOpen(path: string, flags: number, act: (handle: number) => void): void {
  let handle: number;
  try {
    handle = openSync(path, O_RDONLY | O_NOFOLLOW | flags);
  } catch (error) {
    // Gone, or another thing by now: whoever did that owns it.
    if (['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? '')) return;
    throw error;
  }
  try {
    act(handle);
  } finally {
    closeSync(handle);
  }
}
