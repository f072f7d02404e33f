// Opens a product's zip: its main file is the named one, `project.json` or `data.json`, the only JSON or table, or else the only zip; the
// others are attachments. Sizes are checked while unpacking, not believed.

import type { Readable } from 'node:stream';
import { type Entry, fromBuffer, open, type ZipFile } from 'yauzl';
import type { FilesOfImport } from './files-in-zip.ts';
import { SeveralParts, UnreadableFile } from './neutral.ts';

const mostEntries = 100_000;
/** Longer ones that are packed a hundredfold are there to fill the disk. */
const longBytes = 16 * 1024 * 1024;

interface OpenedZip {
  /** What is to be read. */
  readonly fileName: string;
  readonly size: number;
  readonly files: FilesOfImport;
  read(): Promise<Readable>;
  close(): void;
}

/** `from`: the bytes, or the path of a file that holds them; `part`: which of its files is to be read, where somebody said so. */
export async function openZip(from: Buffer | string, mostBytes: number, part: string | null): Promise<OpenedZip> {
  const zip = await opened(from);
  try {
    if (zip.entryCount > mostEntries) throw new UnreadableFile(`The zip has more than ${mostEntries} files.`);
    const entries = (await entriesOf(zip)).filter(({ fileName }) => !/\/$|(^|\/)(__MACOSX\/|\.)/.test(fileName));
    const entry = part === null ? mainOf(entries) : partOf(entries, part);
    if (entry.uncompressedSize > mostBytes) throw tooLarge(entry.fileName, mostBytes);
    const byName = new Map(entries.map((one) => [one.fileName, one]));
    return {
      fileName: entry.fileName.replace(/^.*\//, ''),
      size: entry.uncompressedSize,
      files: {
        names: entries.filter((one) => one !== entry).map(({ fileName }) => fileName),
        open: (name) => {
          const found = byName.get(name);
          return found === undefined
            ? Promise.reject(new UnreadableFile(`${name} is not in the zip.`))
            : found.uncompressedSize > longBytes && found.uncompressedSize > 100 * found.compressedSize
              ? Promise.reject(new UnreadableFile('it is packed a hundredfold'))
              : unpacked(zip, found);
        },
      },
      read: () => unpacked(zip, entry),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

export const tooLarge = (name: string, mostBytes: number): UnreadableFile =>
  new UnreadableFile(
    `${name} is larger than ${Math.floor(mostBytes / 1024 / 1024)} MB: raise IMPORT_SIZE_LIMIT, or export less at once.`,
  );

/** By its path, or the end of it that no other has. */
function partOf(entries: readonly Entry[], part: string): Entry {
  const found = entries.filter(({ fileName }) => fileName === part || fileName.endsWith(`/${part}`));
  const [only] = found.length === 1 ? found : found.filter(({ fileName }) => fileName === part);
  if (only === undefined) throw new UnreadableFile(`In the zip is no ${part}, or more than one.`);
  return only;
}

/** Files of tasks lie deeper than what tells of them, and may be tables themselves. */
function mainOf(entries: readonly Entry[]): Entry {
  const depth = ({ fileName }: Entry): number => fileName.split('/').length;
  const tables = entries.filter(({ fileName }) => /\.(csv|tsv|json)$/i.test(fileName));
  const readable = tables.length > 0 ? tables : entries.filter(({ fileName }) => /\.zip$/i.test(fileName));
  const named = readable
    .filter(({ fileName }) => /(^|\/)(data|project)\.json$/.test(fileName))
    .toSorted((one, other) => depth(one) - depth(other))[0];
  if (named !== undefined) return named;
  const least = Math.min(...readable.map(depth));
  const top = readable.filter((one) => depth(one) === least);
  const json = top.filter(({ fileName }) => /\.json$/i.test(fileName));
  const candidates = json.length > 0 ? json : top;
  const [only, ...more] = candidates;
  if (only === undefined) throw new UnreadableFile('In the zip is no table and no JSON.');
  if (more.length > 0) throw new SeveralParts(candidates.map(({ fileName }) => fileName));
  return only;
}

function opened(from: Buffer | string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false } as const;
    const done = (error: Error | null, zip: ZipFile): void =>
      error ? reject(new UnreadableFile(`The zip cannot be read: ${error.message}`)) : resolve(zip);
    if (typeof from === 'string') open(from, options, done);
    else fromBuffer(from, options, done);
  });
}

function entriesOf(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', (error: Error) => reject(new UnreadableFile(`The zip cannot be read: ${error.message}`)));
    zip.readEntry();
  });
}

/** yauzl breaks a stream off that is longer than the list of the zip says. */
function unpacked(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) =>
      error ? reject(new UnreadableFile(`${entry.fileName} cannot be unpacked: ${error.message}`)) : resolve(stream),
    );
  });
}
