// Backup location: a directory, or a bucket (backup-bucket.ts).

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Manifest } from './manifest.ts';
import type { BackupOptions } from './write-backup.ts';
import { writeBackupFile } from './write-file.ts';

export interface BackupPlace {
  /** How a backup there is told of. */
  addressOf(name: string): string;
  write(name: string, options: Omit<BackupOptions, 'out'>): Promise<Manifest>;
  /** Where it can be read on this machine, until it is done with. */
  open(name: string, signal?: AbortSignal): Promise<{ readonly path: string; done(): void }>;
  /** The oldest first. */
  list(): Promise<readonly { readonly name: string; readonly at: Date }[]>;
  remove(name: string): Promise<void>;
}

export class BackupDirectory implements BackupPlace {
  readonly #path: string;

  constructor(path: string) {
    this.#path = resolve(path);
  }

  addressOf(name: string): string {
    return join(this.#path, name);
  }

  write(name: string, options: Omit<BackupOptions, 'out'>): Promise<Manifest> {
    return writeBackupFile(this.addressOf(name), options);
  }

  async open(name: string): Promise<{ path: string; done(): void }> {
    return { path: this.addressOf(name), done: () => undefined };
  }

  async list(): Promise<{ name: string; at: Date }[]> {
    // What is no directory is told by writing there.
    if (!existsSync(this.#path) || !statSync(this.#path).isDirectory()) return [];
    return readdirSync(this.#path)
      .sort()
      .flatMap((name) => {
        // Another node may clear it away meanwhile.
        const found = statSync(this.addressOf(name), { throwIfNoEntry: false });
        return found === undefined ? [] : [{ name, at: found.mtime }];
      });
  }

  async remove(name: string): Promise<void> {
    rmSync(this.addressOf(name), { force: true });
  }
}
