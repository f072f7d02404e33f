// /rest/v1 on the wire: takes requests off the socket, hands them to `answerRequest`, sends the answers back. Stands in
// front of Fastify, whose share would be felt here; the same paths are mounted in Fastify too, for calls in process.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { bearerChallenge } from '../http/bearer-challenge.ts';
import { corsOf } from '../http/cors.ts';
import { unlisted } from '../http/describe-routes.ts';
import { noteCause } from '../http/failure-causes.ts';
import { nextStep } from '../http/fixed-answer-times.ts';
import { signalOf } from '../http/in-process-signal.ts';
import { answerNotes } from '../http/log-answer.ts';
import { readBody } from '../http/read-body.ts';
import { requestIds } from '../http/request-ids.ts';
import { traceFields } from '../http/trace-context.ts';
import { leavesBody } from '../http/unfinished-bodies.ts';
import { clientAddresses } from '../limits/client-address.ts';
import { networkOf } from '../limits/network-of.ts';
import type { Services } from '../services.ts';
import { readCredentials } from '../session/read-credentials.ts';
import { answerUnforeseen } from './answer-error.ts';
import { answerRequest } from './answer-request.ts';
import { VisibleToRoles } from './catalog/visible.ts';
import { watchCatalog } from './catalog/watch-catalog.ts';
import { describeRoot } from './describe-root.ts';
import type { Door, DoorSettings } from './door.ts';
import { LargeAnswers } from './large-answers.ts';
import { describeDoor } from './openapi/describe-door.ts';
import { PlanCache } from './plan-cache.ts';
import { path } from './query/fragments.ts';
import { searchPaths } from './request-settings.ts';
import type { ApiResponse } from './respond/api-response.ts';

const PREFIX = '/rest/v1';
/** Bytes that are cheaper to copy than to write apart. */
const SHORT_BODY = 16 * 1024;
const NO_BODY = Buffer.alloc(0);

export async function mountData(app: FastifyInstance, services: Services): Promise<void> {
  const { config, database, sessions, log } = services;
  const settings = doorSettings(config);
  const { extraSearchPath, hoistedSettings: hoisted } = config.data;
  const catalog = await watchCatalog(database, { schemas: settings.schemas, extraSearchPath, hoisted }, log);
  // Postgres reads it while the other doors are mounted here.
  app.addHook('onReady', () => catalog.first);
  app.addHook('onClose', () => catalog.close());
  const door: Door = {
    settings,
    database,
    sessions,
    budget: services.budget,
    catalog,
    visible: new VisibleToRoles(database),
    known: new PlanCache(),
    large: new LargeAnswers(),
    describe: describeRoot(services),
  };
  app.describeWhenAsked(describeDoor(services));
  const idOf = requestIds();
  const note = answerNotes(services);
  const limit = config.server.bodyLimit;
  const addressOf = clientAddresses(config.server.trustProxy);
  const cors = corsOf(config.server.corsOrigins);
  const challenge = bearerChallenge(config.server.apiExternalUrl ?? services.siteUrl, PREFIX);

  /** The status that was answered. */
  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    signal?: AbortSignal,
  ): Promise<number> {
    const arrived = performance.now();
    const method = request.method ?? 'GET';
    const url = request.url ?? '/';
    let apiResponse: ApiResponse;
    try {
      const arrival = {
        credentials: readCredentials(request.headers, url),
        readBody: () => (method === 'GET' || method === 'HEAD' ? NO_BODY : readBody(request, limit)),
      };
      const address = (): string => addressOf(request);
      const network = (): string => networkOf(address());
      const head = { ...locate(url), method, headers: request.headers, address, network, signal };
      apiResponse = await answerRequest(head, arrival, door);
    } catch (error) {
      noteCause(request, error);
      const { response: failed, isKnown } = answerUnforeseen(error, id, settings.verboseErrors);
      if (!isKnown) log.error({ err: error, method, reqId: id, ...traceFields(request) }, 'request failed');
      apiResponse = failed;
    }
    if (apiResponse.status >= 500 && apiResponse.cause !== undefined) noteCause(request, apiResponse.cause);
    if (apiResponse.isTimed === true) await nextStep(arrived);
    if (apiResponse.status === 401) challengeIn(apiResponse.headers, (value) => challenge(method, value));
    // Refused by its head: its body was not taken.
    if (!request.complete) leavesBody(request);
    await send(response, apiResponse, id, cors(request.headers.origin));
    return apiResponse.status;
  }

  // Requests that come through Fastify are counted and noted there.
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const id = idOf(request);
    const status = await serve(request, response, id);
    note(request, { route: `${PREFIX}/*`, status, ms: performance.now() - started, id });
  }
  app.openFastDoor(`${PREFIX}/`, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'an answer could not be sent');
      response.destroy();
    });
    return true;
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  for (const url of [PREFIX, `${PREFIX}/*`])
    app.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url,
      ...unlisted('Tables and functions are described when asked'),
      handler: async (request, reply) => {
        reply.hijack();
        await serve(request.raw, reply.raw, request.id, signalOf(request.raw));
      },
    });
}

function doorSettings({ data, database }: Config): DoorSettings {
  const preRequest = nameOf(data.preRequest);
  return {
    schemas: data.schemas,
    searchPaths: searchPaths(data.schemas, data.extraSearchPath),
    maxRows: data.maxRows === 0 ? null : data.maxRows,
    limits: { bytes: data.maxBytes, embeddedRows: data.maxEmbeddedRows },
    maxEmbedDepth: data.maxEmbedDepth,
    maxEmbeds: data.maxEmbeds,
    legacyTargetNames: data.legacyTargetNames,
    aggregates: data.aggregates,
    plans: data.plans,
    transactionOverride: data.transactionOverride,
    anonymous: data.anonymous,
    keyAlone: data.keyAlone,
    replicaForAll: database.replicaReads === 'all',
    serverTiming: data.serverTiming,
    verboseErrors: data.errorVerbosity === 'verbose',
    csvGuard: data.csvGuard,
    appSettings: data.appSettings.map((pair) => {
      const at = pair.indexOf('=');
      return [`app.settings.${pair.slice(0, at)}`, pair.slice(at + 1)] as const;
    }),
    rootFunction: nameOf(data.rootFunction),
    preRequest: preRequest === null ? null : { text: `select ${path(preRequest)}()`, values: [] },
  };
}

/** `schema.function`, or a function in `public`. */
function nameOf(text: string | null): { schema: string; name: string } | null {
  if (text === null || text === '') return null;
  const at = text.indexOf('.');
  return at < 0 ? { schema: 'public', name: text } : { schema: text.slice(0, at), name: text.slice(at + 1) };
}

function locate(url: string): { path: string; query: string } {
  const at = url.indexOf('?');
  if (at < 0) return { path: url.slice(PREFIX.length), query: '' };
  const query = url.slice(at + 1);
  return { path: url.slice(PREFIX.length, at), query: query.includes('apikey=') ? withoutKey(query) : query };
}

/** A key in the address says who asks, and is no filter. */
const withoutKey = (query: string): string =>
  query
    .split('&')
    .filter((part) => !part.startsWith('apikey='))
    .join('&');

async function send(
  response: ServerResponse,
  apiResponse: ApiResponse,
  id: string,
  cors: readonly string[],
): Promise<void> {
  const { headers, body, status } = apiResponse;
  const streamed = body !== null && !Buffer.isBuffer(body);
  if (response.destroyed || response.headersSent) return streamed ? body.cancel() : undefined;
  headers.push('X-Request-Id', id);
  for (const part of cors) headers.push(part);
  if (apiResponse.reason === undefined) response.writeHead(status, headers);
  else response.writeHead(status, apiResponse.reason, headers);
  if (!streamed) {
    // A short body joins the head in one string, which is one write; bytes are the same in latin1.
    if (body !== null && body.length < SHORT_BODY) response.end(body.toString('latin1'), 'latin1');
    else response.end(body, apiResponse.release);
    return;
  }
  try {
    await body.pump((chunk) => written(response, chunk));
    response.end();
  } catch {
    // The head has been sent: all that is left is to close the connection, so that the client sees the body is incomplete.
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

/** Names and values stand in turn. */
function challengeIn(headers: string[], extend: (challenge: string) => string): void {
  const at = headers.indexOf('WWW-Authenticate') + 1;
  const challenge = headers[at];
  if (at > 0 && challenge?.startsWith('Bearer')) headers[at] = extend(challenge);
}
