// Lock of a data directory: one server each. The lock is a unix socket that its holder answers on, so it ends with the process, however that ended;
// a second server learns from it who is first and where the database is.

import { createHash } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, realpathSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** What the holder answers to whoever connects. */
export interface Holder {
  readonly pid: number;
  readonly addresses: Readonly<Record<string, string>>;
}

export interface DirectoryLock {
  /** From now on others get the address of the database. */
  announce(addresses: Readonly<Record<string, string>>): void;
  release(): void;
}

export class DirectoryInUse extends Error {
  constructor(
    readonly holder: Holder,
    directory: string,
  ) {
    super(
      `The data directory ${directory} is in use by another Kanbase server${holder.pid === 0 ? '' : ` (process ${holder.pid})`}. ` +
        'Stop that one first, or start this one with another --data-dir.',
    );
    this.name = 'DirectoryInUse';
  }
}

/** Names of unix sockets end at 107 bytes on Linux, 103 on macOS. */
export const longestSocketPath = 103;

/** A short private directory for a data directory whose path is too long, the same for all who ask. */
export function shortDirectory(dataDir: string): string {
  const name = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16);
  return join('/tmp', `kanbase-${name}`);
}

function lockPath(dataDir: string): string {
  if (process.platform === 'win32')
    return `\\\\.\\pipe\\kanbase-${createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16)}`;
  const path = join(dataDir, 'server.lock');
  if (Buffer.byteLength(path) + 24 <= longestSocketPath) return path;
  const directory = shortDirectory(dataDir);
  mkdirSync(directory, { recursive: true, mode: 0o711 });
  return join(directory, 'server.lock');
}

export async function lockDirectory(dataDir: string): Promise<DirectoryLock> {
  const path = lockPath(dataDir);
  let addresses: Readonly<Record<string, string>> = {};
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(JSON.stringify({ pid: process.pid, addresses }));
  });
  for (let attempt = 0; ; attempt++) {
    if (await bind(server, path)) break;
    const holder = await ask(path);
    if (holder !== null) throw new DirectoryInUse(holder, dataDir);
    if (attempt > 20)
      throw new Error(`The lock ${path} can neither be taken nor asked; remove it if no server is running`);
    await clearStale(path, dataDir);
  }
  if (process.platform !== 'win32') chmodSync(path, 0o600);
  server.unref();
  return {
    announce: (known) => {
      addresses = known;
    },
    release: () => {
      server.close();
    },
  };
}

/** Who holds the directory now; null when nobody does. */
export async function findHolder(dataDir: string): Promise<Holder | null> {
  return existsSync(dataDir) ? ask(lockPath(dataDir)) : null;
}

function bind(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    };
    server.once('error', onError);
    server.listen(path, () => {
      server.off('error', onError);
      const bound: string | AddressInfo | null = server.address();
      resolve(bound !== null);
    });
  });
}

function ask(path: string): Promise<Holder | null> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path);
    // Whoever holds the lock but is too busy to answer still holds it.
    socket.setTimeout(3000, () => {
      socket.destroy();
      resolve({ pid: 0, addresses: {} });
    });
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // Only these two mean that nobody is there; any other error leaves it open.
      resolve(error.code === 'ECONNREFUSED' || error.code === 'ENOENT' ? null : { pid: 0, addresses: {} });
    });
    socket.on('close', () => {
      try {
        resolve(JSON.parse(text) as Holder);
      } catch {
        resolve(null);
      }
    });
  });
}

/** A lock nobody answers on is moved aside, and looked at again there: another starter may have been quicker. */
async function clearStale(path: string, dataDir: string): Promise<void> {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const holder = await ask(aside);
  if (holder === null) {
    rmSync(aside, { force: true });
    return;
  }
  try {
    linkSync(aside, path);
  } finally {
    unlinkSync(aside);
  }
  throw new DirectoryInUse(holder, dataDir);
}
