// Resumable uploads (TUS 1.0) at /storage/v1/upload/resumable. The library speaks the protocol; here is who may begin and go on with an upload, and
// how it becomes an object. Policies are asked at every request, and the row is written as the caller of the last one.

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Server as TusServer } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CatalogError } from '../../errors.ts';
import { exposedHeaders } from '../../http/cors.ts';
import { described } from '../../http/describe-routes.ts';
import { noteCause } from '../../http/failure-causes.ts';
import { asCatalogError } from '../../http/render-error.ts';
import { passesOn } from '../../http/unfinished-bodies.ts';
import { inSession } from '../../session/agent-session.ts';
import { underClaim } from '../../session/claim-fence.ts';
import { lastingRole } from '../../session/narrowing.ts';
import { filesError, toFilesError, wordsOf } from '../errors.ts';
import { type FilesContext, sessionOf } from '../files-context.ts';
import { checkKey, type ObjectName } from '../names.ts';
import { checkQuota } from '../objects/check-quota.ts';
import { readEncoding } from '../objects/content-encodings.ts';
import { cleanType } from '../objects/media-type.ts';
import { readBucket } from '../objects/object-row.ts';
import { checkBytes, checkType, readMetadata } from '../objects/read-upload.ts';
import { checkMayWrite, saveFinished, type Target } from '../objects/save-object.ts';
import { resumableOperations } from './described.ts';
import { PartStore } from './part-store.ts';
import { openUploadLocker } from './upload-locker.ts';
import {
  addUploadRow,
  findUploadRow,
  isClaimed,
  noteFinished,
  removeUpload,
  type UploadRow,
  uploadsUnderWay,
} from './upload-rows.ts';

const base = '/storage/v1/upload/resumable';
const protocolHeaders =
  'Location, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Defer-Length, Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset, X-Error-Code';
/** How long a request that another one has overtaken may go on writing. */
const stopsWithinMs = 500;

/** Of one person; what nobody goes on with is given up. */
const mostUnderWay = 100;

/** What is known of a request while the library works on it. */
interface Underway {
  readonly request: FastifyRequest;
  /** With a link of a signed upload instead of a token. */
  readonly isSigned: boolean;
  target?: Target;
  row?: UploadRow;
  sizeLimit?: number;
  /** A row was written for it in this request: until that is answered well, nobody knows the address. */
  created?: string;
  /** In the end. */
  refusal?: CatalogError;
}

export function mountResumable(door: FastifyInstance, files: FilesContext): void {
  const underway = new WeakMap<object, Underway>();
  const tus = openTus(files, (request) => {
    const found = underway.get(request);
    if (found === undefined) throw new Error('The request of a resumable upload is not known');
    return found;
  });

  for (const isSigned of [false, true]) {
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const web = toWebRequest(request);
      const work: Underway = { request, isSigned };
      underway.set(web, work);
      try {
        const response = await tus.handleWeb(web);
        await giveUpFailed(files, work, response.status);
        if (work.refusal !== undefined) void reply.header('x-error-code', work.refusal.code);
        return await sendWebResponse(reply, response);
      } finally {
        // What is left of a refused part is read past, so that the sender gets to the answer, and the connection to its next request. The
        // stream that the library was given would pause it again. Nobody holds it, so that no other body has to make room.
        passesOn(request.raw);
        request.raw.removeAllListeners('data').resume();
      }
    };
    const url = isSigned ? `${base}/sign` : base;
    const { begin, goOn, giveUp } = resumableOperations(isSigned);
    const one = { url: `${url}/:upload`, exposeHeadRoute: false, handler };
    door.route({ method: 'POST', url, ...described(begin), handler });
    door.route({ method: 'PATCH', ...one, ...described(goOn) });
    door.route({ method: 'DELETE', ...one, ...described(giveUp) });
    // What the protocol asks: how far an upload got, and what is understood here.
    door.route({ method: ['HEAD', 'OPTIONS'], ...one });
    door.route({ method: 'OPTIONS', url, handler });
  }
}

function openTus(files: FilesContext, known: (request: object) => Underway): TusServer {
  const store = new PartStore(files);
  const finishing = new Map<string, Promise<void>>();

  function finishOnce(target: Target, row: UploadRow): Promise<void> {
    const running = finishing.get(row.version);
    if (running !== undefined) return running;
    const finished = finish(files, target, row).finally(() => finishing.delete(row.version));
    finishing.set(row.version, finished);
    return finished;
  }

  /** Who the token or the link speaks for. */
  async function targetFor({ request, isSigned }: Underway, name: ObjectName): Promise<Target> {
    if (isSigned) {
      const link = await files.links.readUpload(request.headers['x-signature'], name);
      return { ...link, caller: underClaim(inSession(link.caller, request.headers), request.headers), name };
    }
    const { caller, claims } = await sessionOf(files, request);
    return { caller, sub: claims.sub, name, upsert: request.headers['x-upsert'] === 'true' };
  }

  async function begin(work: Underway, metadata: Readonly<Record<string, string | null>>): Promise<void> {
    const name = { bucket: metadata.bucketName ?? '', key: checkKey(metadata.objectName ?? '') };
    work.target = await targetFor(work, name);
    const bucket = await readBucket(files, name.bucket);
    await checkMayWrite(files, work.target);
    checkType(cleanType(metadata.contentType), bucket.allowed_mime_types);
    readMetadata(metadata.metadata ?? undefined);
    readEncoding(metadata.contentEncoding);
    work.sizeLimit = Math.min(bucket.file_size_limit ?? files.sizeLimit, files.sizeLimit);
  }

  async function goOn(work: Underway, version: string): Promise<void> {
    const row = await findUploadRow(files, version);
    if (row === null) throw filesError('NoSuchUpload', 'There is no such upload, or it has expired');
    const target = await targetFor(work, { bucket: row.bucket_id, key: row.name });
    if (lastingRole(target.caller) !== row.caller_role || (target.sub ?? null) !== row.caller_sub)
      throw filesError('AccessDenied', 'Only who began an upload can go on with it');
    work.row = row;
    work.target = { ...target, upsert: row.upsert };
    if (row.finished_at !== null || work.request.method === 'DELETE') return;
    const hasArrived = row.size !== null && (await store.lengthOf(row)) === row.size;
    // The server went down after the object's row was written, before that was noted: the name is taken, by this upload itself.
    if (hasArrived && (await isClaimed(files, version))) return noteFinished(files, version);
    await checkMayWrite(files, work.target);
    const bucket = await readBucket(files, row.bucket_id);
    work.sizeLimit = Math.min(bucket.file_size_limit ?? files.sizeLimit, files.sizeLimit);
    // The server went down between the last part and the row; a client that asks how far it got is done then.
    if (hasArrived) await finishOnce(work.target, row);
  }

  return new TusServer({
    path: base,
    datastore: store,
    locker: openUploadLocker(),
    lockDrainTimeout: stopsWithinMs,
    async namingFunction(request, metadata = {}) {
      await begin(known(request), metadata);
      return randomUUID();
    },
    maxSize: (request) => known(request).sizeLimit ?? files.sizeLimit,
    async onIncomingRequest(request, version) {
      const work = known(request);
      if (work.request.method !== 'POST') await goOn(work, version);
      passesOn(work.request.raw);
    },
    async onUploadCreate(request, { id: version, metadata = {}, size }) {
      const { target, sizeLimit = files.quotas.unknownBytes } = known(request);
      if (target === undefined) throw new Error('An upload was created before it was allowed');
      const { caller, sub, name, upsert } = target;
      await checkQuota(files, name, size ?? sizeLimit);
      if (sub !== undefined && (await uploadsUnderWay(files, sub)) >= mostUnderWay)
        throw filesError(
          'TooManyUploads',
          `You have ${mostUnderWay} uploads that are not finished: finish some, or give them up`,
        );
      known(request).created = version;
      await addUploadRow(files, {
        version,
        bucket_id: name.bucket,
        name: name.key,
        caller_role: lastingRole(caller),
        caller_sub: sub ?? null,
        upsert,
        size: size ?? null,
        metadata,
      });
      return { metadata };
    },
    // Relative, for behind a proxy nobody knows the address that the client sees.
    generateUrl: (request, { path, id }) => `${path}${known(request).isSigned ? '/sign' : ''}/${id}`,
    async onUploadFinish(request, { id: version }) {
      const { target } = known(request);
      const row = await findUploadRow(files, version);
      if (target === undefined || row === null) throw filesError('NoSuchUpload', 'The upload has expired');
      if (row.finished_at === null) await finishOnce(target, row);
      return {};
    },
    onResponseError(request, error) {
      if ('status_code' in error) return undefined;
      noteCause(known(request).request.raw, error);
      const work = known(request);
      work.refusal = toFilesError(error) ?? asCatalogError(error, work.request);
      return { status_code: work.refusal.status, body: wordsOf(work.refusal, work.request.id) };
    },
  });
}

/** Of what failed and cannot be gone on with nothing is left: it would count among the uploads of a person until it expires. */
async function giveUpFailed(files: FilesContext, { created, row }: Underway, status: number): Promise<void> {
  if (status < 400) return;
  const isEmpty = async ({ version }: UploadRow): Promise<boolean> =>
    (await files.store.lengthOf(version).catch(() => 0)) === 0;
  try {
    if (created !== undefined) await removeUpload(files, created);
    else if (status >= 500 && row?.finished_at === null && (await isEmpty(row))) await removeUpload(files, row.version);
  } catch (error) {
    files.log.warn({ err: error }, 'a failed upload could not be given up; it expires by itself');
  }
}

/** From parts to an object. What is refused for good is removed; what merely failed is tried again by the next request. */
async function finish(files: FilesContext, target: Target, row: UploadRow): Promise<void> {
  const { version, metadata } = row;
  const type = cleanType(metadata.contentType);
  const seconds = metadata.cacheControl ?? '';
  // The server went down after the row was written.
  if (await isClaimed(files, version)) return noteFinished(files, version);
  try {
    const stored = await files.store.finish(version, row.size ?? 0);
    if (stored.size !== row.size)
      throw filesError('InvalidRequest', 'The parts do not make up the length of the upload');
    const { allowed_mime_types: allowed } = await readBucket(files, row.bucket_id);
    const contentEncoding = readEncoding(metadata.contentEncoding);
    await checkBytes(files.store, version, { size: stored.size, mimetype: type, contentEncoding }, allowed);
    await saveFinished(files, target, version, stored, {
      type,
      cacheControl: /^\d{1,10}$/.test(seconds) ? `max-age=${seconds}` : 'no-cache',
      contentEncoding,
      userMetadata: readMetadata(metadata.metadata ?? undefined),
    });
  } catch (error) {
    // On another node, in the meantime.
    if (await isClaimed(files, version)) return;
    if ((toFilesError(error)?.status ?? 500) < 500) await removeUpload(files, version);
    throw error;
  }
  await noteFinished(files, version);
}

function toWebRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && !name.startsWith(':')) headers.set(name, value);
  const hasBody = request.method === 'POST' || request.method === 'PATCH';
  return new Request(new URL(request.url, 'http://localhost'), {
    method: request.method,
    headers,
    ...(hasBody ? { body: Readable.toWeb(request.raw) as ReadableStream, duplex: 'half' } : {}),
  } as RequestInit);
}

async function sendWebResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  for (const [name, value] of response.headers) if (!name.startsWith('access-control-')) reply.header(name, value);
  if (reply.hasHeader('access-control-expose-headers'))
    reply.header('access-control-expose-headers', `${exposedHeaders}, ${protocolHeaders}`);
  return reply.code(response.status).send(response.body === null ? undefined : await response.text());
}
