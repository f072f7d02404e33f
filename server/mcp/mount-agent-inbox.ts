// GET /api/agents/inbox: work that waits for an agent, asked for by a program that runs it. A request may wait until there is some.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CatalogError } from '../errors.ts';
import { bearerChallenge } from '../http/bearer-challenge.ts';
import { described } from '../http/describe-routes.ts';
import { readQuery } from '../http/read-parameters.ts';
import { renderError } from '../http/render-error.ts';
import type { Services } from '../services.ts';
import { grantOf } from '../session/grant-of.ts';
import { type Session, SessionFault } from '../session/types.ts';
import { openBoard } from './board.ts';
import { readAgentInbox } from './described.ts';
import { mcpErrors } from './errors.ts';
import { type Inbox, isAgent, readInbox, writeInboxSession } from './inbox.ts';
import { openInboxWaiters } from './inbox-waiters.ts';
import { type McpSession, readCaller } from './read-caller.ts';
import { ToolFault } from './tool-fault.ts';

const longestWaitSeconds = 60;

export async function mountAgentInbox(app: FastifyInstance, services: Services): Promise<void> {
  const apiUrl = services.config.server.apiExternalUrl ?? services.siteUrl;
  const challenge = bearerChallenge(apiUrl, '/mcp');
  const waiters = openInboxWaiters(services, services.log.child({ room: 'mcp' }));
  app.addHook('onReady', () => waiters.start());
  // Requests under way would be waited for.
  app.addHook('preClose', () => waiters.close());

  const refuse = (code: keyof typeof mcpErrors, message: string, headers: Record<string, string> = {}): CatalogError =>
    new CatalogError(code, mcpErrors[code].status, { message, hint: mcpErrors[code].next, headers });

  async function callerOf(request: FastifyRequest): Promise<McpSession> {
    try {
      return await readCaller(services, request.headers.authorization);
    } catch (error) {
      throw asUnauthorized(error);
    }
  }

  function asUnauthorized(error: unknown): unknown {
    if (!(error instanceof SessionFault)) return error;
    const header = error.fault === 'missing' ? 'Bearer' : 'Bearer error="invalid_token"';
    return refuse('KB881', error.message, { 'WWW-Authenticate': challenge('GET', header) });
  }

  app.get('/api/agents/inbox', described(readAgentInbox), async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', vary: 'authorization' });
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const { after, wait = 0 } = readQuery(request, readAgentInbox, {
      refuse: ({ words }) => refuse('KB884', words),
    });
    const caller = await callerOf(request);
    const { session } = caller;
    const board = openBoard(services, {
      ...{ ...caller, address: request.ip, agent: request.headers['user-agent'], signal: gone.signal },
      work: { session: null, connection: null, title: '' },
    });
    try {
      if (!(await isAgent(board))) throw refuse('KB888', 'This token belongs to no agent');
      const waiter = waiters.enter(board.me, grantOf(session), gone.signal);
      if (waiter === null)
        throw refuse('KB889', 'Too many requests wait for this agent’s work', { 'Retry-After': '5' });
      try {
        const inbox = await nextWork(() => readInbox(board, after), wait, waiter.next, session);
        const sessions = await Promise.all(
          inbox.sessions.map(async (one) => ({ ...one, markdown: await writeInboxSession(board, one) })),
        );
        return { cursor: inbox.cursor, sessions };
      } finally {
        waiter.leave();
      }
    } catch (error) {
      if (gone.signal.aborted) return reply.code(499).send();
      throw error instanceof ToolFault ? asCatalogFault(error) : asUnauthorized(error);
    }
  });

  async function nextWork(
    read: () => Promise<Inbox>,
    waitSeconds: number,
    next: (milliseconds: number) => Promise<void>,
    session: Session,
  ): Promise<Inbox> {
    const until = performance.now() + Math.min(waitSeconds, longestWaitSeconds) * 1000;
    for (;;) {
      const inbox = await read();
      const left = until - performance.now();
      if (inbox.sessions.length > 0 || left <= 0 || waiters.isClosed) return inbox;
      await next(left);
      // The key may have ended while it waited.
      await services.sessions.verifyAgain(session);
    }
  }

  app.setErrorHandler(renderError);
}

const asCatalogFault = ({ code, message }: ToolFault): CatalogError =>
  code?.endsWith('429')
    ? new CatalogError('KB889', 429, { message, hint: mcpErrors.KB889.next })
    : new CatalogError('KB884', mcpErrors.KB884.status, { message, hint: mcpErrors.KB884.next });
