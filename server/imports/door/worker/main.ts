// Program of an import worker, a process of its own with no settings, no address of the database and a lower priority: reads the file on standard
// input, does the one task it is given, says how it ended. It ends with the server, and when the watchdog says so.

import { setPriority } from 'node:os';
import { createGunzip, gunzipSync } from 'node:zlib';
import type { Caller, StatementRunner } from '../../../database/types.ts';
import type { SaveFile } from '../../files-in-zip.ts';
import { UnreadableFile } from '../../neutral.ts';
import { type Given, isZip } from '../../source.ts';
import { undoImport } from '../../undo-import.ts';
import { writeImport } from '../../write-import.ts';
import { change } from '../jobs.ts';
import { previewResponse } from '../preview-response.ts';
import { mostUploaded, readUpload, recognise, type Wanted } from '../read-upload.ts';
import { type Ask, databaseProxy } from './database-proxy.ts';
import type { WorkerLimits } from './limits.ts';
import { type FromWorker, received, sendable, type ToWorker, type WorkerTask } from './messages.ts';
import { watch } from './watchdog.ts';

const watchdog = watch(JSON.parse(process.argv[2] ?? '{}') as WorkerLimits);
const stopping = new AbortController();
const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
let last = 0;
let isRead = false;

try {
  setPriority(10);
} catch {
  // A system that does not allow it.
}
// The server decides when this ends, also where a terminal tells both.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));
process.on('message', (message: ToWorker) => {
  if (message.type === 'task') void perform(message.task);
  else if (message.type === 'stop') stopping.abort();
  else {
    const { resolve, reject } = waiting.get(message.id) ?? {};
    waiting.delete(message.id);
    if (message.type === 'answer') resolve?.(message.value as never);
    else reject?.(received(message.error));
  }
});

function send(message: FromWorker): void {
  process.send?.(message);
}

const ask: Ask = (name, ...args) =>
  new Promise((resolve, reject) => {
    // Reading has its time as a whole; each step of writing has it again.
    if (isRead) watchdog.renew();
    const id = ++last;
    waiting.set(id, { resolve, reject });
    send({ type: 'ask', id, question: [name, ...args] });
  });

async function perform(task: WorkerTask): Promise<void> {
  try {
    send({ type: 'done', value: await resultOf(task, databaseProxy(ask)) });
  } catch (error) {
    send({ type: 'failed', error: sendable(error) });
  }
}

async function resultOf(task: WorkerTask, database: StatementRunner): Promise<unknown> {
  // The server runs everything as the person it knows of.
  const caller: Caller = { role: 'authenticated', claims: 'claims' in task ? task.claims : '{}' };
  if (task.to === 'undo') {
    startWriting();
    return undoImport(database, caller, task.importId);
  }
  const given = await fileGiven();
  if (task.to === 'recognise') {
    const chosen = { isNew: true, isOnlyRecognised: true };
    return (await recognise(given, task.fileName, task.choices, chosen)).product;
  }
  const isNew = task.to === 'write' ? task.isNew : task.projectId === null;
  const wanted: Wanted = { ...task, database, caller, isNew, isStarted: task.to === 'write', given };
  const upload = await readUpload(wanted);
  if (task.to === 'preview') return JSON.stringify(previewResponse(upload, task.fileName));
  startWriting();
  const { recognised, read, matched, invited, isOwned } = upload;
  const { made, updated, unchanged, state } = await writeImport({
    ...wanted,
    projectId: task.projectId,
    read,
    matched,
    invited,
    files: recognised.files,
    saveFile,
    keepDates: isOwned,
    signal: stopping.signal,
    importId: task.importId,
    // Before anything is written, so that it can be taken back however it ends.
    onBegin: async (importId) =>
      void (await change(database, caller, task.jobId, ['running'], 'running', { import_id: importId })),
  });
  return { made, updated, unchanged, state };
}

function startWriting(): void {
  isRead = true;
  watchdog.renew();
  send({ type: 'read' });
}

/** A zip is looked into at any place and therefore unpacked; anything else stays packed until it is read. */
async function fileGiven(): Promise<Given> {
  const packed: Buffer[] = [];
  const gunzip = createGunzip();
  let size = 0;
  let start = Buffer.alloc(0);
  try {
    process.stdin.on('data', (piece: Buffer) => packed.push(piece)).pipe(gunzip);
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > mostUploaded) throw new UnreadableFile('The file is larger than 64 MB.');
      if (start.length < 4) start = Buffer.concat([start, piece.subarray(0, 4)]);
    }
  } finally {
    process.stdin.destroy();
  }
  return isZip(start) ? gunzipSync(Buffer.concat(packed)) : { packed, size };
}

let files = 0;
const saveFile: SaveFile = async ({ key, type, bytes }) => {
  const file = ++files;
  const saved = ask('save', file, key, type);
  let isOver = false;
  saved.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    if (isOver) break;
    await ask('piece', file, piece);
  }
  await ask('piece', file, null);
  return saved;
};
