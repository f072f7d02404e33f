// The billing doors: checkout, portal, and the receiver of payment events under both of its names.
// A request is a list of checks in the interface's order, then one question to the database, then one to the
// provider; no connection is held while the provider thinks.

import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { providerMode } from '../config/provider-mode.ts';
import { described } from '../http/describe-routes.ts';
import { answerPlainErrors, readBodiesAsBytes, readJsonObject, refuseOtherMethods } from '../http/plain-errors.ts';
import { networkOf } from '../limits/network-of.ts';
import type { Services } from '../services.ts';
import { readSignedIn, type SignedIn } from '../session/cookie-session.ts';
import { findCustomer, forgetOldEvents, rememberMode } from './billing-rows.ts';
import { createCheckout, createPortal, receiveEvent, receiveEventToo } from './described.ts';
import { billingError, notConfigured } from './errors.ts';
import { openProvider } from './open-provider.ts';
import { readCheckoutRequest, readPortalRequest } from './read-request.ts';
import { recordEvent, verifyEvent } from './receive-event.ts';
import { writeOrder } from './write-order.ts';

const requestLimit = 64 * 1024;
const eventLimit = 2 * 1024 * 1024;

export async function mountBilling(app: FastifyInstance, services: Services): Promise<void> {
  const { config, database, limits, log } = services;
  const provider = openProvider(config.billing);
  const mode = providerMode(config.billing);
  const rule = { siteUrl: services.siteUrl, redirects: config.billing.redirects };

  /** The provider answers only so many requests of all of us. */
  const ration = async (caller: string, words: string): Promise<void> => {
    const { allowed, retryAfterSeconds } = await limits.take(
      { name: 'checkout', points: 60, windowSeconds: 60 },
      caller,
    );
    if (!allowed)
      throw billingError('KB714', {
        message: `${words} Try again in ${retryAfterSeconds} seconds.`,
        headers: { 'retry-after': String(retryAfterSeconds) },
      });
  };

  if (provider !== null) {
    const { changed } = await rememberMode(database, mode);
    log.info({ mode }, `billing is on, with a ${mode === 'unknown' ? 'key of unknown mode' : `${mode} key`}`);
    if (changed)
      log.warn(
        { mode },
        'billing: this database last ran with a key of another mode; what was bought with that one is kept, but does not count now',
      );
    await forgetOldEvents(database);
  }

  await app.register(async (door) => {
    answerPlainErrors(door);
    readBodiesAsBytes(door, requestLimit);

    door.post('/api/billing/create-checkout', described(createCheckout), async (request, reply) => {
      const wanted = readCheckoutRequest(readJsonObject(request), rule);
      if (provider === null) throw notConfigured();
      await ration(networkOf(request.ip), 'Too many checkouts were started from here.');
      const user = await readSignedIn(services, request, reply);
      const customer = user === null ? null : await findCustomer(database, user.id, mode);
      const url = await provider.createCheckout(writeOrder(wanted, user, customer), idempotencyKey(request, user));
      return { url };
    });

    door.post('/api/billing/create-portal', described(createPortal), async (request, reply) => {
      const user = await readSignedIn(services, request, reply);
      if (user === null) throw billingError('KB706', 'Not signed in');
      const { returnUrl } = readPortalRequest(readJsonObject(request), rule);
      await ration(user.id, 'You asked for the billing portal too often.');
      const customer = await findCustomer(database, user.id, mode);
      if (customer === null)
        throw billingError('KB708', "You don't have a billing account yet. Make a purchase first.");
      if (provider === null) throw notConfigured();
      const url = await provider.createPortal(customer, returnUrl, idempotencyKey(request, user));
      return { url };
    });
    for (const path of ['create-checkout', 'create-portal']) refuseOtherMethods(door, 'POST', `/api/billing/${path}`);
  });

  await app.register(async (door) => {
    answerPlainErrors(door);
    readBodiesAsBytes(door, eventLimit);

    const receive = async (request: FastifyRequest) => {
      const signature = request.headers['stripe-signature'];
      const delivery = {
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        signature: Array.isArray(signature) ? undefined : signature,
      };
      const event = await verifyEvent(delivery, config.billing.webhookSecret, mode);
      const isNew = await recordEvent(database, event);
      request.log.info({ event: event.id, kind: event.type, isNew }, 'payment event');
      return { received: true };
    };
    door.post('/api/webhook/billing', described(receiveEvent), receive);
    door.post('/api/billing/webhook', described(receiveEventToo), receive);
    for (const path of ['/api/webhook/billing', '/api/billing/webhook']) refuseOtherMethods(door, 'POST', path);
  });
}

/** A client that repeats a request with its own key gets the same session again; otherwise every request is its own. */
function idempotencyKey(request: FastifyRequest, user: SignedIn | null): string {
  const given = request.headers['idempotency-key'];
  if (typeof given !== 'string' || given === '') return `kanbase-${randomUUID()}`;
  const scope = [request.routeOptions.url, user?.id ?? request.ip, given, String(request.body ?? '')];
  return `kanbase-${createHash('sha256').update(scope.join('\n')).digest('hex')}`;
}
