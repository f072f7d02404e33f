// Files in a drop or paste, including those in folders. A browser empties the DataTransfer right after the event, so its content is read at once.

/** Whether files are being dragged, as far as that can be known before they are dropped. */
export function holdsFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') ?? false;
}

/** What file managers leave in folders for themselves. */
const leftovers = /^(\.DS_Store|Thumbs\.db|desktop\.ini)$/;

export function collectFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].flatMap((item) => (item.kind === 'file' ? (item.webkitGetAsEntry() ?? []) : []));
  const files = [...transfer.files];
  return entries.some((entry) => entry.isDirectory)
    ? Promise.all(entries.map(filesIn)).then((found) => found.flat())
    : Promise.resolve(files);
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (isFile(entry)) {
    if (leftovers.test(entry.name)) return [];
    return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
  }
  if (!isDirectory(entry)) return [];
  const reader = entry.createReader();
  const all: FileSystemEntry[] = [];
  // They come some hundred at a time, and none when there are no more.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    all.push(...some);
  }
  return (await Promise.all(all.map(filesIn))).flat();
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
