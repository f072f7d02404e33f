// A file that was named on the command line, where the owner of the data can read it: itself, or, where only root may read it,
// a copy for as long as the command runs.

import { chownSync, closeSync, copyFileSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { orAsRoot } from '../effective-user.ts';

export interface FileForOwner {
  readonly path: string;
  done(): void;
}

export function openForOwner(path: string): FileForOwner {
  const itself = { path, done: () => undefined };
  try {
    closeSync(openSync(path, 'r'));
    return itself;
  } catch (error) {
    // Of what is not there the command speaks itself.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return itself;
  }
  const [uid, gid] = [process.geteuid?.() ?? 0, process.getegid?.() ?? 0];
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-file-'));
  const copy = join(directory, basename(path));
  const done = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    orAsRoot(() => {
      // The second time, as root, the bytes are read.
      closeSync(openSync(path, 'r'));
      copyFileSync(path, copy);
      chownSync(copy, uid, gid);
    });
  } catch {
    done();
    return itself;
  }
  return { path: copy, done };
}
