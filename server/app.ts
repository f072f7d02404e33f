// Composition: every door and every middleware, in order, on one screen.

import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { mountAdmin } from './admin/mount-admin.ts';
import { mountBilling } from './billing/mount-billing.ts';
import { mountData } from './data/mount-data.ts';
import { mountDocs } from './docs/mount-docs.ts';
import { mountFeeds } from './exports/mount-feeds.ts';
import { mountFiles } from './files/mount-files.ts';
import { answerClientError } from './http/answer-client-error.ts';
import { corsOf } from './http/cors.ts';
import { createHttpServer, type FastDoor, type FastDoors } from './http/create-http-server.ts';
import { describeRoutes } from './http/describe-routes.ts';
import { mountOperations } from './http/mount-operations.ts';
import { observeRequests } from './http/observe-requests.ts';
import { renderError, renderNotFound } from './http/render-error.ts';
import { requestIds } from './http/request-ids.ts';
import { securityHeaders } from './http/security-headers.ts';
import { traceFields } from './http/trace-context.ts';
import { mountIdentity } from './identity/mount-identity.ts';
import { mountImports } from './imports/door/mount-imports.ts';
import { readForwardedFor } from './limits/forwarded-for.ts';
import { mountInbox } from './mail/mount-inbox.ts';
import { mountUnsubscribe } from './mail/unsubscribe.ts';
import { mountAgentInbox } from './mcp/mount-agent-inbox.ts';
import { mountMcp } from './mcp/mount-mcp.ts';
import type { Offer } from './mcp/offer.ts';
import { mountWebhooks } from './outbox/mount-webhooks.ts';
import { mountPages } from './pages/mount-pages.ts';
import { mountRealtime } from './realtime/mount-realtime.ts';
import { mountScim } from './scim/mount-scim.ts';
import type { Services } from './services.ts';
import { refuseSession } from './session/agent-session.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Opens a door in front of Fastify for paths that begin so; see `http/create-http-server.ts`. */
    openFastDoor(prefix: string, door: FastDoor): void;
  }
}

/** `loadOffer`: what /mcp serves in place of the board. */
export async function createApp(services: Services, loadOffer?: () => Promise<Offer>): Promise<FastifyInstance> {
  const doors: FastDoors = new Map();
  const { server, files } = services.config;
  const app: FastifyInstance = fastify({
    serverFactory: (handler) =>
      createHttpServer(handler, doors, {
        cors: corsOf(server.corsOrigins),
        answers: { totalBytes: server.answersTotal, timeoutMs: server.readTimeoutMs },
        onUnread: (bytes) =>
          services.metrics.gauge('kanbase_http_unread_bytes', 'Bytes of answers that wait for their readers.', bytes),
        bodies: { totalBytes: server.bodiesTotal, timeoutMs: server.bodyTimeoutMs },
        filesHost: files.publicUrl === null ? null : new URL(files.publicUrl).host,
        trace: services.trace,
      }),
    // A child, whose level is its own.
    loggerInstance: services.log.child({}) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    childLoggerFactory: (log, bindings, options, request) =>
      log.child({ ...bindings, ...traceFields(request) }, options),
    bodyLimit: server.bodyLimit,
    clientErrorHandler: answerClientError,
    trustProxy: server.trustProxy.length > 0 ? [...server.trustProxy] : false,
    forceCloseConnections: 'idle',
    // While stopping, what still arrives on open connections is answered, and the connection closed after it.
    return503OnClosing: false,
    exposeHeadRoutes: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 },
  });
  app.decorate('openFastDoor', (prefix: string, door: FastDoor) => void doors.set(prefix, door));
  app.setErrorHandler(renderError);
  app.setNotFoundHandler(renderNotFound);
  describeRoutes(app);
  observeRequests(app, services);
  services.proxies.watch(app);
  readForwardedFor(app);

  // Doors with their own dialect and no more hooks than they bring themselves.
  await app.register(async (door) => mountData(door, services));
  await app.register(async (door) => mountIdentity(door, services));
  await app.register(async (door) => mountRealtime(door, services));
  await app.register(async (door) => mountFiles(door, services));
  await app.register(async (door) => mountFeeds(door, services));
  await app.register(async (door) => mountScim(door, services));
  await app.register(async (door) => mountMcp(door, services, loadOffer));
  await app.register(async (door) => mountAgentInbox(door, services));
  await app.register(async (door) => mountInbox(door, services));
  await app.register(async (door) => mountUnsubscribe(door, services));
  await app.register(async (door) => mountOperations(door, services));

  // Pages and what belongs to them.
  await app.register(async (pages) => {
    securityHeaders(pages, services);
    pages.addHook('onRequest', async ({ method, headers }) => refuseSession(method, headers));
    await pages.register(async (door) => mountBilling(door, services));
    await pages.register(async (door) => mountImports(door, services));
    await pages.register(async (door) => mountAdmin(door, services));
    await pages.register(async (door) => mountWebhooks(door, services));
    await pages.register(async (door) => mountDocs(door, services));
    await pages.register(async (door) => mountPages(door, services));
  });
  return app;
}
