// The billing doors: checkout, portal, and the receiver of payment events under both of its names.
// A request is a list of checks in the interface's order, then one question to the database, then one to the
// provider; no connection is held while the provider thinks.

import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { providerMode } from '../config/provider-mode.ts';
import { checkBody, type WithBody } from '../http/check-body.ts';
import { described } from '../http/describe-routes.ts';
import { answerPlainErrors, refuseOtherMethods, takeObject } from '../http/plain-errors.ts';
import { leaveBodies, takeBytes } from '../http/read-json.ts';
import { networkOf } from '../limits/network-of.ts';
import { refundUnless } from '../limits/refund.ts';
import type { Limit } from '../limits/types.ts';
import type { Services } from '../services.ts';
import { readSignedIn, type SignedIn } from '../session/cookie-session.ts';
import { findCustomer, forgetOldEvents, rememberMode } from './billing-rows.ts';
import { checkAddress, checkCheckout } from './check-request.ts';
import { createCheckout, createPortal, receiveEvent, receiveEventToo } from './described.ts';
import { billingError, notConfigured } from './errors.ts';
import { openProvider, type Provider } from './open-provider.ts';
import { checkSigned, recordEvent, verifyEvent } from './receive-event.ts';
import { writeOrder } from './write-order.ts';

const bounds = { bytes: 64 * 1024, depth: 20, values: 2000 };
const checkouts: Limit = { name: 'checkout', points: 60, windowSeconds: 60 };
const eventLimit = 2 * 1024 * 1024;

export async function mountBilling(app: FastifyInstance, services: Services): Promise<void> {
  const { config, database, limits, log } = services;
  const provider = openProvider(config.billing);
  const mode = providerMode(config.billing);
  const rule = { siteUrl: services.siteUrl, redirects: config.billing.redirects };

  /** The provider answers only so many requests of all of us. */
  const ration = async (caller: string, words: string): Promise<void> => {
    const { allowed, retryAfterSeconds } = await limits.take(checkouts, caller);
    if (!allowed)
      throw billingError('KB714', `${words} Try again in ${retryAfterSeconds} seconds.`, {
        headers: { 'retry-after': String(retryAfterSeconds) },
      });
  };

  const configured = (): Provider => {
    if (provider === null) throw notConfigured();
    return provider;
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
    leaveBodies(door);

    door.post('/api/billing/create-checkout', described(createCheckout), async (request, reply) => {
      const network = networkOf(request.ip);
      await ration(network, 'Too many checkouts were started from here.');
      const fields = await takeObject(request, bounds);
      const { wanted, provider } = await refundUnless(limits, checkouts, network, () => ({
        wanted: checkCheckout(fitting(createCheckout, fields), rule),
        provider: configured(),
      }));
      const user = await readSignedIn(services, request, reply);
      const customer = user === null ? null : await findCustomer(database, user.id, mode);
      const url = await provider.createCheckout(
        writeOrder(wanted, user, customer),
        await idempotencyKey(request, user),
      );
      return { url };
    });

    door.post('/api/billing/create-portal', described(createPortal), async (request, reply) => {
      const user = await readSignedIn(services, request, reply);
      if (user === null) throw billingError('KB706', 'Not signed in');
      await ration(user.id, 'You asked for the billing portal too often.');
      const fields = await takeObject(request, bounds);
      const returnUrl = await refundUnless(limits, checkouts, user.id, () =>
        checkAddress('Return URL', fitting(createPortal, fields).returnUrl, rule),
      );
      const customer = await findCustomer(database, user.id, mode);
      if (customer === null)
        throw billingError('KB708', "You don't have a billing account yet. Make a purchase first.");
      if (provider === null) throw notConfigured();
      const url = await provider.createPortal(customer, returnUrl, await idempotencyKey(request, user));
      return { url };
    });
    for (const path of ['create-checkout', 'create-portal']) refuseOtherMethods(door, 'POST', `/api/billing/${path}`);
  });

  await app.register(async (door) => {
    answerPlainErrors(door);
    leaveBodies(door);

    const receive = async (request: FastifyRequest) => {
      const { signature, secret } = checkSigned(request.headers['stripe-signature'], config.billing.webhookSecret);
      const event = await verifyEvent({ body: await takeBytes(request, eventLimit), signature }, secret, mode);
      const isNew = await recordEvent(database, event);
      request.log.info({ event: event.id, kind: event.type, isNew }, 'payment event');
      return { received: true };
    };
    door.post('/api/webhook/billing', described(receiveEvent), receive);
    door.post('/api/billing/webhook', described(receiveEventToo), receive);
    for (const path of ['/api/webhook/billing', '/api/billing/webhook']) refuseOtherMethods(door, 'POST', path);
  });
}

/** Of a fault without a code of its own, a field has the wrong type, or is too long. */
const fitting = <T>(route: WithBody<T>, fields: unknown): T =>
  checkBody(route, fields, ({ words, code = 'KB704' }) =>
    billingError(code as Parameters<typeof billingError>[0], words),
  );

/** A client that repeats a request with its own key gets the same session again; otherwise every request is its own. */
async function idempotencyKey(request: FastifyRequest, user: SignedIn | null): Promise<string> {
  const given = request.headers['idempotency-key'];
  if (typeof given !== 'string' || given === '') return `kanbase-${randomUUID()}`;
  const scope = [
    request.routeOptions.url,
    user?.id ?? request.ip,
    given,
    String(await takeBytes(request, bounds.bytes)),
  ];
  return `kanbase-${createHash('sha256').update(scope.join('\n')).digest('hex')}`;
}
