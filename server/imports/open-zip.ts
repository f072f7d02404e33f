// What a product exports as a zip is a file in it: `data.json`, or the one table or JSON that there is. Sizes are checked while it is unpacked,
// not believed.

import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { UnreadableFile } from './neutral.ts';

const mostEntries = 10_000;

export function isZip(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04'));
}

export async function onlyFileOf(
  bytes: Buffer,
  mostBytes: number,
): Promise<{ readonly bytes: Buffer; readonly fileName: string }> {
  const zip = await opened(bytes);
  if (zip.entryCount > mostEntries) throw new UnreadableFile(`The zip has more than ${mostEntries} files.`);
  const entries = await entriesOf(zip);
  const readable = entries.filter(({ fileName }) => /\.(csv|tsv|json)$/i.test(fileName));
  const entry = readable.find(({ fileName }) => /(^|\/)data\.json$/.test(fileName)) ?? readable[0];
  if (entry === undefined) throw new UnreadableFile('In the zip is no table and no JSON.');
  if (!entry.fileName.endsWith('data.json') && readable.length > 1)
    throw new UnreadableFile(
      `The zip has several tables: unpack it and import them one by one (${readable
        .slice(0, 5)
        .map(({ fileName }) => fileName)
        .join(', ')}).`,
    );
  if (entry.uncompressedSize > mostBytes)
    throw new UnreadableFile(`${entry.fileName} is larger than ${mostBytes / 1024 / 1024} MB.`);
  return { bytes: await unpacked(zip, entry, mostBytes), fileName: entry.fileName.replace(/^.*\//, '') };
}

function opened(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, autoClose: false }, (error, zip) =>
      error ? reject(new UnreadableFile(`The zip cannot be read: ${error.message}`)) : resolve(zip),
    );
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

function unpacked(zip: ZipFile, entry: Entry, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) return reject(new UnreadableFile(`${entry.fileName} cannot be unpacked: ${error.message}`));
      const pieces: Buffer[] = [];
      let size = 0;
      stream.on('data', (piece: Buffer) => {
        size += piece.length;
        if (size > mostBytes) stream.destroy(new Error('it is larger than it says'));
        else pieces.push(piece);
      });
      stream.on('error', (problem: Error) =>
        reject(new UnreadableFile(`${entry.fileName} cannot be unpacked: ${problem.message}`)),
      );
      stream.on('end', () => resolve(Buffer.concat(pieces)));
    });
  });
}
