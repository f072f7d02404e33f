// Resized images on this node's own disk, so that each is made once: <root>/<version>/<variant>.<format>. Bounded by bytes, the least
// recently used go first. Nothing is lost when it is emptied, and what cannot be kept is served all the same.

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { type OutputFormat, outputFormats } from './read-transform.ts';
import type { ResizedImage } from './resize-image.ts';

interface Entry {
  readonly size: number;
  readonly format: OutputFormat;
}

/** Kept of one version of a file at most. */
const sizesOfOne = 48;

export class ImageCache {
  readonly #root: string;
  readonly #maxBytes: number;
  readonly #log: Logger;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>();
  /** The keys of each version, the oldest first. */
  readonly #sizes = new Map<string, Set<string>>();
  readonly #making = new Map<string, Promise<ResizedImage>>();
  /** By key of an image that is being made: whether each request for it still waits. */
  readonly #waiting = new Map<string, (() => boolean)[]>();
  #bytes = 0;
  #isRead: Promise<void> | null = null;

  constructor(root: string, maxBytes: number, log: Logger) {
    this.#root = root;
    this.#maxBytes = maxBytes;
    this.#log = log;
  }

  /** From the cache, or made and kept; who asks for the same meanwhile waits for the same. `variant` goes into a file name. */
  async get(
    version: string,
    variant: string,
    isWaiting: () => boolean,
    make: (isWanted: () => boolean) => Promise<ResizedImage>,
  ): Promise<ResizedImage> {
    await this.#read();
    const key = `${version}/${variant}`;
    const found = await this.#find(key);
    if (found !== null) return found;
    const underway = this.#making.get(key);
    if (underway !== undefined) {
      this.#waiting.get(key)?.push(isWaiting);
      return underway;
    }
    const waiting = [isWaiting];
    const made = make(() => waiting.some((isStillWaiting) => isStillWaiting()));
    this.#making.set(key, made);
    this.#waiting.set(key, waiting);
    try {
      const image = await made;
      // Unless the original was removed meanwhile.
      if (this.#making.get(key) === made) await this.#keep(key, image);
      return image;
    } finally {
      if (this.#making.get(key) === made) this.#making.delete(key);
      if (this.#waiting.get(key) === waiting) this.#waiting.delete(key);
    }
  }

  async forget(version: string): Promise<void> {
    await this.#read();
    const isOfVersion = (key: string) => key.startsWith(`${version}/`);
    for (const key of [...this.#making.keys()].filter(isOfVersion)) this.#making.delete(key);
    for (const key of [...this.#entries.keys()].filter(isOfVersion)) this.#drop(key);
    // Another process may have put some there.
    await rm(join(this.#root, version), { recursive: true, force: true });
  }

  async #find(key: string): Promise<ResizedImage | null> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const bytes = await readFile(this.#path(key, entry)).catch(() => null);
    // A crash may have left half of it.
    if (bytes?.length === entry.size) return { bytes, format: entry.format };
    this.#drop(key);
    return null;
  }

  async #keep(key: string, { bytes, format }: ResizedImage): Promise<void> {
    const entry = { size: bytes.length, format };
    if (entry.size > this.#maxBytes) return;
    const path = this.#path(key, entry);
    const draft = join(this.#root, `draft-${randomUUID()}`);
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(draft, bytes);
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      this.#log.warn({ err: error }, 'a resized image could not be kept; it is made anew each time');
      return;
    }
    this.#drop(key);
    this.#add(key, entry);
    // Hundreds of sizes of one file leave the pictures of others where they are.
    for (const oldest of this.#sizes.get(versionOf(key)) ?? []) {
      if ((this.#sizes.get(versionOf(key))?.size ?? 0) <= sizesOfOne) break;
      const old = this.#entries.get(oldest);
      this.#drop(oldest);
      if (old !== undefined) await rm(this.#path(oldest, old), { force: true });
    }
    for (const [oldest, old] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
      await rm(this.#path(oldest, old), { force: true });
    }
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.size;
    const version = versionOf(key);
    const sizes = this.#sizes.get(version) ?? new Set();
    this.#sizes.set(version, sizes.add(key));
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
    const version = versionOf(key);
    const sizes = this.#sizes.get(version);
    sizes?.delete(key);
    if (sizes?.size === 0) this.#sizes.delete(version);
  }

  #path(key: string, { format }: Entry): string {
    return join(this.#root, `${key}.${format}`);
  }

  /** What earlier runs left here, the oldest first. */
  #read(): Promise<void> {
    this.#isRead ??= this.#readFolder().catch((error: unknown) =>
      this.#log.warn({ err: error }, 'the resized images of earlier runs could not be read'),
    );
    return this.#isRead;
  }

  async #readFolder(): Promise<void> {
    await mkdir(this.#root, { recursive: true });
    const found: { key: string; entry: Entry; at: number }[] = [];
    for (const file of await readdir(this.#root, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const path = join(file.parentPath, file.name);
      const [name = '', extension] = file.name.split('.', 2);
      const format = outputFormats.find((one) => one === extension);
      if (format === undefined) {
        await rm(path, { force: true });
        continue;
      }
      const { size, mtimeMs } = await stat(path);
      found.push({ key: `${basename(file.parentPath)}/${name}`, entry: { size, format }, at: mtimeMs });
    }
    for (const { key, entry } of found.sort((one, other) => one.at - other.at)) {
      this.#add(key, entry);
    }
  }
}

const versionOf = (key: string): string => key.slice(0, key.indexOf('/'));
