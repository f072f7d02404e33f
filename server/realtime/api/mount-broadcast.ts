// Broadcasts over HTTP, and a ping: POST /realtime/v1/api/broadcast for several messages, and …/broadcast/<topic>/events/<event> for one. A message
// to a private topic needs a policy on realtime.messages for insert. Each caller may send as many in a second as one socket may; callers with an API
// key alone are counted by address.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CatalogError } from '../../errors.ts';
import { described } from '../../http/describe-routes.ts';
import { leaveBodies, takeBytes, takeCheckedJson, takeJson } from '../../http/read-json.ts';
import { readPath, readQuery } from '../../http/read-parameters.ts';
import { networkOf } from '../../limits/network-of.ts';
import { refuseSession } from '../../session/agent-session.ts';
import { checkResource } from '../../session/check-resource.ts';
import { type Session, SessionFault } from '../../session/types.ts';
import { isRecord, isTrue } from '../channels/join-config.ts';
import { checkSession } from '../channels/read-token.ts';
import { RealtimeError } from '../errors.ts';
import type { Realtime } from '../realtime.ts';
import type { Broadcast } from '../sockets/messages.ts';
import { Rates } from '../sockets/rate.ts';
import { persistSeconds } from '../topics/persist-option.ts';
import { topicKey } from '../topics/topics.ts';
import * as says from './described.ts';

interface Post {
  readonly topic: string;
  readonly event: string;
  readonly payload: Buffer;
  readonly isPrivate: boolean;
}

/** What was wrong with a field, as clients know it: `{errors: {messages: [{payload: ["can't be blank"]}]}}`. */
type Faults = Readonly<Record<string, readonly string[]>>;

const blank = ["can't be blank"];

export async function mountBroadcast(app: FastifyInstance, realtime: Realtime): Promise<void> {
  const maxBytes = realtime.settings.maxPayloadKb * 1024;
  /** With what stands around the payload. */
  const bytes = maxBytes * 2;
  const rates = new Rates(realtime.settings.messagesPerSecond);
  const leftFor = (name: string): number => {
    const left = rates.left(name);
    if (left <= 0) throw new RealtimeError('MessageRateLimitReached', 'You have exceeded your rate limit');
    return left;
  };
  const count = (request: FastifyRequest, session: Session, many: number): void => {
    const name = nameOf(request, session);
    const left = leftFor(name);
    if (many > left)
      throw new RealtimeError(
        'MessageRateLimitReached',
        'Too many messages to broadcast, please reduce the batch size',
      );
    rates.take(name, many);
  };
  app.describeTerms(says.realtimeTerms);
  await app.register(async (door) => {
    leaveBodies(door);
    door.addHook('onRequest', async ({ method, headers }) => refuseSession(method, headers));
    door.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      if (error instanceof SessionFault)
        return reply
          .code(401)
          .header('www-authenticate', realtime.challenge(request.method))
          .send({ message: error.message });
      if (error instanceof RealtimeError) {
        if (error.status === 429) void reply.header('retry-after', '1');
        return reply.code(error.status).send({ message: error.message });
      }
      if (error instanceof CatalogError)
        return reply.code(error.status).headers(error.headers).send({ message: error.message });
      const status = error.statusCode ?? 500;
      if (status >= 500) request.log.error({ err: error }, 'a broadcast failed');
      return reply.code(status).send({ message: status >= 500 ? 'Something unforeseen happened' : error.message });
    });

    door.get('/realtime/v1/api/ping', described(says.ping), async () => ({ message: 'Success' }));

    door.post('/realtime/v1/api/broadcast', described(says.sendBroadcasts), async (request, reply) => {
      const session = await sessionOf(realtime, request);
      leftFor(nameOf(request, session));
      const body = await takeJson(request, { bytes, depth: 100, values: 50_000 });
      const messages = isRecord(body) && Array.isArray(body.messages) ? (body.messages as unknown[]) : [];
      if (messages.length === 0) return unprocessable(reply, { messages: blank });
      count(request, session, messages.length);
      const read = messages.map((message) => readPost(message, maxBytes));
      if (read.some((one) => 'faults' in one))
        return unprocessable(reply, { messages: read.map((one) => ('faults' in one ? one.faults : {})) });
      for (const one of read) if ('post' in one) await send(realtime, session, one.post, 'json');
      return reply.code(202).send('');
    });

    door.post(
      '/realtime/v1/api/broadcast/:topic/events/:event',
      described(says.sendBroadcast),
      async (request, reply) => {
        const session = await sessionOf(realtime, request);
        count(request, session, 1);
        const { topic, event } = readPath(request, says.sendBroadcast);
        const { private: flagged, persist, 'persist[ttl]': ttl } = readQuery(request, says.sendBroadcast);
        const isPrivate = isFlag(flagged);
        const option = ttl === undefined ? persist === 'true' : { ttl: /^\d+$/.test(ttl) ? Number(ttl) : ttl };
        const longest = realtime.messages.longestSeconds;
        const seconds = persistSeconds(option, longest);
        if (seconds === undefined)
          return reply
            .code(422)
            .send({ message: `persist ttl must be a positive integer of seconds from 1 to ${longest}` });
        const type = request.headers['content-type'] ?? 'application/json';
        const isBinary = type.startsWith('application/octet-stream');
        if (!isBinary && !type.startsWith('application/json'))
          return reply.code(415).send({
            error: 'Unsupported Media Type: send application/json or application/octet-stream',
            message: 'Send application/json or application/octet-stream',
          });
        const payload = isBinary
          ? await takeBytes(request, bytes)
          : await takeCheckedJson(request, { bytes, depth: 200, values: 250_000 });
        if (payload.length > maxBytes) return unprocessable(reply, { payload: ['Payload size exceeds tenant limit'] });
        if (seconds !== null && !isPrivate)
          return unprocessable(reply, { persist: ['can only be used on private channels'] });
        const post = { topic, event, payload, isPrivate };
        const sent = await send(realtime, session, post, isBinary ? 'binary' : 'json', seconds);
        return sent ? reply.code(202).send('') : reply.code(403).send({ message: 'Unauthorized' });
      },
    );
  });
}

function nameOf(request: FastifyRequest, { claims: { role = '', sub } }: Session): string {
  return sub ?? `${role} ${networkOf(request.ip)}`;
}

/** True, as a word or as a number in an address too. */
const isFlag = (value: unknown): boolean => isTrue(value) || value === '1';

/** The bearer's, or where only a key was sent, the key's. */
async function sessionOf(realtime: Realtime, request: FastifyRequest): Promise<Session> {
  const { apikey, authorization } = request.headers;
  const key = typeof apikey === 'string' ? apikey : undefined;
  const bearer = /^bearer (.+)$/i.exec(authorization ?? '')?.[1];
  const session =
    bearer === undefined && key !== undefined
      ? await realtime.sessions.verify(key, 'apikey')
      : await realtime.sessions.fromHeadersOrKey({ apikey: key ?? bearer, authorization });
  checkResource(session, '/realtime/v1');
  checkSession(session);
  return session;
}

async function send(
  realtime: Realtime,
  session: Session,
  { topic, event, payload, isPrivate }: Post,
  encoding: Broadcast['encoding'],
  storedSeconds: number | null = null,
): Promise<boolean> {
  const broadcast: Broadcast = { event, encoding, payload, meta: null };
  const rights = isPrivate ? await realtime.rights.speak(session.caller, topic) : null;
  if (rights !== null && !rights.broadcast) return false;
  await realtime.topics.carrier.start();
  realtime.topics.broadcast(topicKey(topic, isPrivate), broadcast);
  if (storedSeconds !== null && rights?.persistence)
    await realtime.messages.keep(session.caller, topic, broadcast, storedSeconds);
  return true;
}

function readPost(message: unknown, maxBytes: number): { readonly post: Post } | { readonly faults: Faults } {
  const { topic, event, payload, private: isPrivate } = isRecord(message) ? message : {};
  const text = payload === undefined || payload === null ? null : JSON.stringify(payload);
  const faults: Record<string, readonly string[]> = {};
  if (typeof topic !== 'string' || topic === '') faults.topic = blank;
  if (typeof event !== 'string' || event === '') faults.event = blank;
  if (text === null) faults.payload = blank;
  else if (!isRecord(payload)) faults.payload = ['is invalid'];
  else if (Buffer.byteLength(text) > maxBytes) faults.payload = ['Payload size exceeds tenant limit'];
  if (typeof topic !== 'string' || typeof event !== 'string' || text === null || Object.keys(faults).length > 0)
    return { faults };
  return { post: { topic, event, payload: Buffer.from(text), isPrivate: isFlag(isPrivate) } };
}

function unprocessable(reply: FastifyReply, errors: unknown): FastifyReply {
  return reply.code(422).send({ errors });
}
