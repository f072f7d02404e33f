// /rest/v1 on the wire: takes requests off the socket, hands them to `answerRequest`, sends the answers back. Stands in
// front of Fastify, whose share would be felt here; the same paths are mounted in Fastify too, for calls in process.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import type { House } from '../house.ts';
import { corsHeaders } from '../http/cors.ts';
import { httpError } from '../http/errors.ts';
import { requestIds } from '../http/request-ids.ts';
import { answerRequest, type Door, type DoorSettings } from './answer-request.ts';
import { VisibleToRoles } from './catalog/visible.ts';
import { watchCatalog } from './catalog/watch-catalog.ts';
import { describeRoot } from './describe-root.ts';
import { path } from './query/fragments.ts';
import { searchPaths } from './request-settings.ts';
import type { Answer } from './respond/answer.ts';
import { respondToError } from './respond/errors.ts';

const PREFIX = '/rest/v1';
/** Bytes that are cheaper to copy than to write apart. */
const SHORT_BODY = 16 * 1024;
const NO_BODY = Buffer.alloc(0);
const CORS = Object.entries(corsHeaders).flat();

export async function mountData(app: FastifyInstance, house: House): Promise<void> {
  const { config, database, sessions, metrics, log } = house;
  const settings = doorSettings(config.data);
  const { extraSearchPath, hoistedSettings: hoisted } = config.data;
  const catalog = await watchCatalog(database, { schemas: settings.schemas, extraSearchPath, hoisted }, log);
  app.addHook('onClose', () => catalog.close());
  const door: Door = {
    settings,
    database,
    sessions,
    catalog,
    visible: new VisibleToRoles(database),
    describe: describeRoot(house),
  };
  const idOf = requestIds();
  const limit = config.server.bodyLimit;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const method = request.method ?? 'GET';
    const id = idOf(request);
    let answer: Answer;
    try {
      const body = method === 'GET' || method === 'HEAD' ? NO_BODY : await readBody(request, limit);
      answer = await answerRequest({ ...locate(request.url ?? '/'), method, headers: request.headers, body }, door);
    } catch (error) {
      answer = answerUnforeseen(error, id, request, log);
    }
    await send(response, answer, id);
    metrics.record('/rest/v1/*', method, answer.status, (performance.now() - started) / 1000);
  }

  app.openFastDoor(`${PREFIX}/`, (request, response) => {
    void serve(request, response);
    return true;
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  for (const url of [PREFIX, `${PREFIX}/*`])
    app.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url,
      handler: async (request, reply) => {
        reply.hijack();
        await serve(request.raw, reply.raw);
      },
    });
}

function doorSettings(data: Config['data']): DoorSettings {
  const [schema, name] = data.preRequest?.includes('.') ? data.preRequest.split('.', 2) : ['public', data.preRequest];
  return {
    schemas: data.schemas,
    searchPaths: searchPaths(data.schemas, data.extraSearchPath),
    maxRows: data.maxRows === 0 ? null : data.maxRows,
    aggregates: data.aggregates,
    plans: data.plans,
    transactionOverride: data.transactionOverride,
    anonymous: data.anonymous,
    serverTiming: data.serverTiming,
    preRequest: name ? { text: `select ${path({ schema: schema ?? 'public', name })}()`, values: [] } : null,
  };
}

function locate(url: string): { path: string; query: string } {
  const at = url.indexOf('?');
  return at < 0
    ? { path: url.slice(PREFIX.length), query: '' }
    : { path: url.slice(PREFIX.length, at), query: url.slice(at + 1) };
}

function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        request.removeAllListeners('data');
        request.resume();
        reject(
          httpError('KB413', {
            message: 'The request body is too large',
            hint: `At most ${limit} bytes are read here.`,
          }),
        );
      }
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? NO_BODY) : Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

async function send(response: ServerResponse, answer: Answer, id: string): Promise<void> {
  const { headers, body, status } = answer;
  const streamed = body !== null && !Buffer.isBuffer(body);
  if (response.destroyed) return streamed ? body.cancel() : undefined;
  headers.push('X-Request-Id', id);
  for (const part of CORS) headers.push(part);
  if (answer.reason === undefined) response.writeHead(status, headers);
  else response.writeHead(status, answer.reason, headers);
  if (!streamed) {
    // A short body joins the head in one string, which is one write; bytes are the same in latin1.
    if (body !== null && body.length < SHORT_BODY) response.end(body.toString('latin1'), 'latin1');
    else response.end(body, answer.release);
    return;
  }
  try {
    await body.pump((chunk) => written(response, chunk));
    response.end();
  } catch {
    // The head is out: all that can be said now is that the rest will not come.
    response.destroy();
  }
}

function written(response: ServerResponse, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    // A write to a response that is closed meanwhile is dropped without a word.
    const hungUp = (): void => reject(new Error('The client hung up'));
    response.once('close', hungUp);
    response.write(chunk, (error) => {
      response.off('close', hungUp);
      if (error) reject(error);
      else resolve();
    });
    if (response.destroyed) hungUp();
  });
}

function answerUnforeseen(error: unknown, id: string, request: IncomingMessage, log: House['log']): Answer {
  const known = error instanceof Error && 'code' in error && 'status' in error && 'details' in error;
  if (known) return respondToError(error as Parameters<typeof respondToError>[0], true);
  log.error({ err: error, method: request.method, id }, 'request failed');
  return respondToError(
    httpError('KB500', { message: 'Something went wrong on our side', hint: `Look for request ${id} in the log.` }),
    true,
  );
}
