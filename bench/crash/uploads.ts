// Uploads that come in two pieces, by the protocol of resumable uploads: begun, gone on with, asked how far they got after an answer that was lost.

import { randomUUID } from 'node:crypto';
import { asCaller, ask, type HttpRequest, type HttpResponse } from '../ask.ts';
import type { Door } from '../plant.ts';
import { hashOf, type Ledger, type Upload } from './ledger.ts';
import { send, type Writer } from './send.ts';

const tus = { 'tus-resumable': '1.0.0' };
const inBase64 = (text: string): string => Buffer.from(text).toString('base64');

/** The next step of the upload that is under way, or of a new one. */
export async function goOnUploading(writer: Writer): Promise<void> {
  const { ledger, upload } = writer;
  if (upload === null) return begin(writer);
  if (upload.isSure) {
    upload.isSure = false;
    const answer = await send(writer, 'piece of a file uploaded', nextPiece(upload));
    if (answer !== null) noteOffset(writer, upload, answer);
    return;
  }
  // Nobody knows whether the last piece arrived: then one asks how far it got.
  const asked = await send(writer, null, { method: 'HEAD', path: upload.path, headers: tus });
  if (asked === null) return;
  if (offsetIn(asked) < upload.offset) ledger.faults.push(shrunk(upload, asked));
  noteOffset(writer, upload, asked);
}

async function begin(writer: Writer): Promise<void> {
  const { planted, ledger, dice, who } = writer;
  const name = `${planted.project}/${dice.pick(planted.tasks)}/${randomUUID()}.bin`;
  const bytes = Buffer.alloc(20_000 + dice.below(200_000), randomUUID());
  const named = { bucketName: 'attachments', objectName: name, contentType: 'application/octet-stream' };
  const answer = await send(writer, null, {
    method: 'POST',
    path: '/storage/v1/upload/resumable',
    headers: {
      ...tus,
      'content-type': 'application/offset+octet-stream',
      'upload-length': String(bytes.length),
      'upload-metadata': Object.entries(named)
        .map(([key, value]) => `${key} ${inBase64(value)}`)
        .join(','),
    },
  });
  if (answer === null) return;
  const path = new URL(answer.headers.location ?? '', 'http://here').pathname;
  writer.upload = { path, name, bytes, person: who, offset: 0, isSure: true };
  ledger.uploads.set(path, writer.upload);
}

/** The first half, or all that is left. */
function nextPiece({ path, bytes, offset }: Upload): HttpRequest {
  const half = bytes.length >> 1;
  return {
    method: 'PATCH',
    path,
    headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    body: bytes.subarray(offset, offset < half ? half : bytes.length),
  };
}

function noteOffset(writer: Writer, upload: Upload, answer: HttpResponse): void {
  upload.offset = offsetIn(answer);
  upload.isSure = true;
  if (upload.offset < upload.bytes.length) return;
  finished(writer.ledger, upload);
  writer.upload = null;
}

function finished(ledger: Ledger, { path, name, bytes }: Upload): void {
  ledger.uploads.delete(path);
  ledger.files.set(name, { hash: hashOf(bytes), known: 'there' });
}

const offsetIn = ({ headers }: HttpResponse): number => Number(headers['upload-offset'] ?? -1);
const shrunk = ({ name, offset }: Upload, answer: HttpResponse): string =>
  `of ${name} ${offset} bytes were acknowledged, and ${offsetIn(answer)} are there`;

/** Brings to an end what is under way, as its owner would. What does not go on, or has become less, is wrong. */
export async function finishUploads(door: Door, ledger: Ledger): Promise<string[]> {
  const wrong: string[] = [];
  for (const upload of [...ledger.uploads.values()]) {
    const asOwner = (question: HttpRequest): Promise<HttpResponse> =>
      ask(door.agent, door.url, {
        ...question,
        headers: asCaller(door.anonKey, upload.person.token, question.headers),
      });
    const asked = await asOwner({ method: 'HEAD', path: upload.path, headers: tus });
    if (asked.status !== 200 || offsetIn(asked) < upload.offset) {
      wrong.push(asked.status === 200 ? shrunk(upload, asked) : `${upload.name} is answered with ${asked.status}`);
      continue;
    }
    upload.offset = offsetIn(asked);
    while (upload.offset < upload.bytes.length) {
      const answer = await asOwner(nextPiece(upload));
      if (answer.status !== 204) {
        wrong.push(`${upload.name} does not go on: ${answer.status} ${answer.body.toString().slice(0, 200)}`);
        break;
      }
      upload.offset = offsetIn(answer);
    }
    if (upload.offset >= upload.bytes.length) finished(ledger, upload);
  }
  return wrong;
}
