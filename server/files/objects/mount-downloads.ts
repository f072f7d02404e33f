// Bytes out: downloads with a token, of public buckets, or with a signed URL. Stands in front of Fastify, whose share would be felt with
// small files; the same paths are mounted in Fastify too, for calls in process and for addresses that need more care.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { CatalogError } from '../../errors.ts';
import { corsOf } from '../../http/cors.ts';
import { described } from '../../http/describe-routes.ts';
import { httpError } from '../../http/errors.ts';
import { noteCause } from '../../http/failure-causes.ts';
import { answerNotes } from '../../http/log-answer.ts';
import { readPath } from '../../http/read-parameters.ts';
import { requestIds } from '../../http/request-ids.ts';
import { traceFields } from '../../http/trace-context.ts';
import type { Services } from '../../services.ts';
import { describeRefusal, toFilesError } from '../errors.ts';
import type { FilesContext } from '../files-context.ts';
import { hideObjects } from '../hide-objects.ts';
import { signedForOther } from '../links/sign-link.ts';
import { checkKey } from '../names.ts';
import { loadSendfile, type Sendfile } from '../store/load-sendfile.ts';
import type { Opened } from '../store/opened-file.ts';
import { downloadOperations } from './described.ts';
import { type Access, accesses, askedBy, readDelivery } from './read-delivery.ts';
import { answerDownload, type DownloadResponse } from './send-object.ts';
import { writeBody } from './write-body.ts';

const prefix = '/storage/v1/object/';
/** What begins like an address of an object and is something else, or is better taken apart by Fastify. */
const others = /^(info|list|list-v2|sign|upload|move|copy|public|authenticated)$|%/;
/** Bytes that are cheaper to copy than to write apart. */
const joinedBytes = 16 * 1024;

interface Place {
  readonly access: Access;
  readonly bucket: string;
  readonly key: string;
}

export function mountDownloads(app: FastifyInstance, files: FilesContext, services: Services): void {
  const cors = corsOf(services.config.server.corsOrigins);
  const idOf = requestIds();
  const note = answerNotes(services);
  // With the first long download.
  let loaded: Promise<Sendfile | null> | null = null;
  const sendfile = (): Promise<Sendfile | null> => {
    loaded ??= services.config.files.sendfile ? loadSendfile() : Promise.resolve(null);
    return loaded;
  };

  async function serve(request: IncomingMessage, response: ServerResponse, place: Place, id: string): Promise<number> {
    const arrived = performance.now();
    const { method = 'GET', url = '/', headers } = request;
    let answer: DownloadResponse;
    try {
      const asked = askedBy({ method, url, headers }, { bucket: place.bucket, key: checkKey(place.key) });
      const { delivery, transformations } = await readDelivery(files, asked, place.access);
      if (transformations !== null) throw signedForOther();
      answer = await answerDownload(files, asked, delivery);
    } catch (thrown) {
      noteCause(request, thrown);
      const error = putIntoWords(files, thrown, { method, reqId: id, ...traceFields(request) });
      await hideObjects(arrived, error);
      answer = refuse(error, method, id);
    }
    await send(response, answer, ['x-request-id', id, ...cors(headers.origin)], sendfile);
    return answer.status;
  }

  // Requests that come through Fastify are counted and noted there.
  async function answer(request: IncomingMessage, response: ServerResponse, place: Place): Promise<void> {
    const started = performance.now();
    const id = idOf(request);
    const status = await serve(request, response, place, id);
    note(request, { route: routeOf(place.access), status, ms: performance.now() - started, id });
  }
  app.openFastDoor(prefix, (request, response) => {
    const place = placeIn(request);
    if (place === null) return false;
    answer(request, response, place).catch((error: unknown) => {
      files.log.error({ err: error }, 'an answer could not be sent');
      response.destroy();
    });
    return true;
  });

  for (const access of accesses)
    app.route({
      method: ['GET', 'HEAD'],
      exposeHeadRoute: false,
      url: routeOf(access),
      ...described(downloadOperations[access]),
      handler: async (request, reply) => {
        reply.hijack();
        const { bucket, path: key } = readPath(request, downloadOperations[access]);
        await serve(request.raw, reply.raw, { access, bucket, key }, request.id);
      },
    });
}

const routeOf = (access: Access): string => `/storage/v1/object${access}/:bucket/*`;

/** Null when it is no download, or an address that is not taken apart here. */
function placeIn({ method, url = '/' }: IncomingMessage): Place | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  const end = url.indexOf('?');
  const path = end < 0 ? url.slice(prefix.length) : url.slice(prefix.length, end);
  const [first = '', rest] = cut(path);
  const access = accesses.find((one) => one === `/${first}`);
  const [bucket = '', key] = access === undefined ? [first, rest] : cut(rest);
  if (bucket === '' || key === '' || key.endsWith('/') || others.test(bucket)) return null;
  return { access: access ?? '', bucket, key: decoded(key) };
}

/** What cannot be decoded keeps its signs, which no key may have. */
function decoded(key: string): string {
  if (!key.includes('%')) return key;
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function cut(path: string): readonly [string, string] {
  const at = path.indexOf('/');
  return at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)];
}

function putIntoWords(
  files: FilesContext,
  thrown: unknown,
  about: { readonly method: string; readonly reqId: string },
): CatalogError {
  const error = toFilesError(thrown);
  if (error !== null) return error;
  files.log.error({ err: thrown, ...about }, 'request failed');
  return httpError('KB500', 'Something went wrong on our side', {
    hint: `Look for request ${about.reqId} in the log.`,
    cause: thrown,
  });
}

function refuse(error: CatalogError, method: string, id: string): DownloadResponse {
  const { status, headers, body } = describeRefusal(error, id);
  const text = Buffer.from(JSON.stringify(body));
  const about = { 'content-type': 'application/json; charset=utf-8', 'content-length': String(text.length) };
  return { status, headers: { ...headers, ...about }, body: method === 'HEAD' ? null : text };
}

async function send(
  response: ServerResponse,
  { status, headers, body }: DownloadResponse,
  more: string[],
  sendfile: () => Promise<Sendfile | null>,
): Promise<void> {
  if (response.destroyed || response.headersSent) return cancel(body);
  for (const name in headers) more.push(name, headers[name] ?? '');
  response.writeHead(status, more);
  if (body === null || Buffer.isBuffer(body)) {
    // A short body joins the head in one string, which is one write; bytes are the same in latin1.
    if (body !== null && body.length < joinedBytes) response.end(body.toString('latin1'), 'latin1');
    else response.end(body);
    return;
  }
  try {
    await writeBody(response, body, sendfile);
    response.end();
  } catch {
    // The head has been sent: all that is left is to close the connection, so that the client sees that bytes are missing.
    response.destroy();
  }
}

function cancel(body: Opened | null): void {
  if (body !== null && !Buffer.isBuffer(body)) body.cancel();
}
