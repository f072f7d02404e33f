// An archive on disk, entry by entry. What is read of it is compared with the checksums in its list; a wrong one ends the reading.

import { addAbortSignal, type Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import yauzl from 'yauzl';
import { summed } from './checksum.ts';
import { BackupProblem, type Manifest, manifestName, readManifest } from './manifest.ts';

export interface Archive {
  readonly manifest: Manifest;
  /** Of one entry, unchecked. */
  text(name: string): Promise<string>;
  /** Fails at its end when what was read has another checksum. */
  read(name: string, sha256: string): Promise<Readable>;
  /** Reads it to its end for nothing but that. */
  check(name: string, sha256: string): Promise<void>;
  close(): void;
}

/** Once `signal` says so, what is read of it ends. */
export async function openArchive(path: string, signal?: AbortSignal): Promise<Archive> {
  const zip = await open(path);
  const entries = await listEntries(zip, path);
  const stream = (name: string): Promise<Readable> =>
    new Promise((resolve, reject) => {
      const entry = entries.get(name);
      if (entry === undefined) return reject(new BackupProblem(`${path} is damaged: ${name} is missing in it.`));
      zip.openReadStream(entry, (error, opened) => (error ? reject(damaged(path, name, error)) : resolve(opened)));
    });
  const text = async (name: string): Promise<string> => {
    const source = await stream(name);
    const bytes = await buffer(source).catch((error: Error) => {
      throw damaged(path, name, error);
    });
    return bytes.toString('utf8');
  };
  if (!entries.has(manifestName)) throw new BackupProblem(`${path} is no backup of Kanbase, or was broken off.`);
  const manifest = readManifest(await text(manifestName));
  const read: Archive['read'] = async (name, sha256) => {
    const source = await stream(name);
    const { stream: sum, result } = summed();
    const check = new Transform({
      transform: (chunk, _encoding, done) => done(null, chunk),
      flush: (done) =>
        done(
          result().sha256 === sha256 ? null : new BackupProblem(`${path} is damaged: ${name} is not what was written.`),
        ),
    });
    source.on('error', (error) => check.destroy(damaged(path, name, error)));
    sum.on('error', (error) => check.destroy(error));
    check.on('close', () => source.destroy());
    if (signal !== undefined) addAbortSignal(signal, check);
    return source.pipe(sum).pipe(check);
  };
  return {
    manifest,
    text,
    read,
    async check(name, sha256) {
      const bytes = await read(name, sha256);
      bytes.resume();
      await finished(bytes);
    },
    close: () => zip.close(),
  };
}

function open(path: string): Promise<yauzl.ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (!error) return resolve(zip);
      const { code } = error as NodeJS.ErrnoException;
      reject(
        new BackupProblem(
          code === 'ENOENT'
            ? `There is no file ${path}.`
            : `${path} cannot be read as a backup (${error.message}): it is something else, or was broken off.`,
          { cause: error },
        ),
      );
    });
  });
}

function listEntries(zip: yauzl.ZipFile, path: string): Promise<ReadonlyMap<string, yauzl.Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, yauzl.Entry>();
    zip.on('entry', (entry: yauzl.Entry) => {
      entries.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', (error: Error) => reject(damaged(path, 'its list', error)));
    zip.readEntry();
  });
}

function damaged(path: string, name: string, cause: Error): BackupProblem {
  return cause instanceof BackupProblem
    ? cause
    : new BackupProblem(`${path} is damaged at ${name}: ${cause.message}`, { cause });
}
