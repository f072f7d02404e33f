// A stand-in for the payment provider that the real SDK cannot tell apart where it matters to us: it checks the key,
// the version header, the form encoding, required, unknown and contradicting parameters, knows its prices and
// customers, and answers a repeated idempotency key as the provider does. It can be told to fail, hang or hang up.

import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Form = { [key: string]: string | Form };
type Json = Record<string, unknown>;

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly form: Form;
  readonly idempotencyKey: string | null;
  readonly version: string | null;
}

export interface StripeServer {
  readonly url: string;
  readonly secretKey: string;
  readonly seen: SeenRequest[];
  readonly customers: Map<string, Json>;
  readonly sessions: Map<string, Json>;
  /** Someone pays in a checkout: it is completed, with a customer unless it had one, and looks as its event tells it. */
  pay(sessionId: string): Json;
  /** The next requests meet this instead of an answer. */
  misbehave(how: { status: number; message: string } | 'hang' | 'hang up', times?: number): void;
  /** Forgets what was seen and every misbehaviour. */
  calm(): void;
  close(): Promise<void>;
}

class StripeError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly more: Json = {},
  ) {
    super(message);
  }
}

const prices: Record<string, Json> = {
  price_team: {
    id: 'price_team',
    object: 'price',
    currency: 'eur',
    unit_amount: 900,
    type: 'recurring',
    recurring: { interval: 'month', interval_count: 1 },
    product: { id: 'prod_team', object: 'product', name: 'Team' },
  },
  price_quarter: {
    id: 'price_quarter',
    object: 'price',
    currency: 'huf',
    unit_amount: 999000,
    type: 'recurring',
    recurring: { interval: 'month', interval_count: 3 },
    product: { id: 'prod_quarter', object: 'product', name: 'Team, by the quarter' },
  },
  price_lifetime: {
    id: 'price_lifetime',
    object: 'price',
    currency: 'eur',
    unit_amount: 19900,
    type: 'one_time',
    recurring: null,
    product: { id: 'prod_lifetime', object: 'product', name: 'Lifetime' },
  },
};

const checkoutParameters = [
  'allow_promotion_codes',
  'automatic_tax',
  'billing_address_collection',
  'cancel_url',
  'client_reference_id',
  'currency',
  'customer',
  'customer_creation',
  'customer_email',
  'customer_update',
  'discounts',
  'expand',
  'invoice_creation',
  'line_items',
  'locale',
  'metadata',
  'mode',
  'payment_intent_data',
  'subscription_data',
  'success_url',
  'tax_id_collection',
  'ui_mode',
];

export async function startStripeServer({ secretKey = 'sk_test_kanbase' } = {}): Promise<StripeServer> {
  const seen: SeenRequest[] = [];
  const customers = new Map<string, Json>();
  const sessions = new Map<string, Json>();
  const replays = new Map<string, { fingerprint: string; status: number; body: Json }>();
  let trouble: Array<{ status: number; message: string } | 'hang' | 'hang up'> = [];

  const server = createServer((request, response) => {
    void answer(request, response);
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const key = header(request, 'idempotency-key');
    const requestId = `req_${randomUUID().slice(0, 12)}`;
    const send = (status: number, body: Json, headers: Record<string, string> = {}) => {
      const version = header(request, 'stripe-version');
      response.writeHead(status, {
        'content-type': 'application/json',
        'request-id': requestId,
        ...(version ? { 'stripe-version': version } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
        ...headers,
      });
      response.end(JSON.stringify(body));
    };

    const now = trouble.shift();
    if (now === 'hang') return;
    if (now === 'hang up') return void request.socket.destroy();
    try {
      authenticate(request, secretKey);
      const form = readForm(request, text);
      seen.push({
        method: request.method ?? '',
        path,
        form,
        idempotencyKey: key,
        version: header(request, 'stripe-version'),
      });
      if (now !== undefined) {
        const type = now.status === 429 ? 'rate_limit_error' : now.status === 402 ? 'card_error' : 'api_error';
        throw new StripeError(now.status, now.message, { type });
      }
      const fingerprint = `${request.method} ${path} ${text}`;
      const earlier = key === null ? undefined : replays.get(key);
      if (earlier !== undefined) {
        if (earlier.fingerprint !== fingerprint)
          throw new StripeError(
            400,
            'Keys for idempotent requests can only be used with the same parameters they were first used with.',
            { type: 'idempotency_error' },
          );
        return send(earlier.status, earlier.body, { 'idempotent-replayed': 'true' });
      }
      const body = route(request.method ?? '', path, form);
      if (key !== null && request.method === 'POST') replays.set(key, { fingerprint, status: 200, body });
      send(200, body);
    } catch (thrown) {
      const error =
        thrown instanceof StripeError ? thrown : new StripeError(500, String(thrown), { type: 'api_error' });
      send(error.status, { error: { type: 'invalid_request_error', message: error.message, ...error.more } });
    }
  }

  function route(method: string, path: string, form: Form): Json {
    if (method === 'POST' && path === '/v1/checkout/sessions') return createCheckout(form);
    if (method === 'POST' && path === '/v1/billing_portal/sessions') return createPortal(form, customers);
    const price = /^\/v1\/prices\/(\w+)$/.exec(path)?.[1];
    if (method === 'GET' && price !== undefined) return knownPrice(price);
    throw new StripeError(404, `Unrecognized request URL (${method}: ${path}).`);
  }

  function createCheckout(form: Form): Json {
    const session = openCheckout(form, customers, secretKey);
    sessions.set(session.id, session);
    return session;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    secretKey,
    seen,
    customers,
    sessions,
    pay(sessionId) {
      const session = sessions.get(sessionId);
      if (session === undefined) throw new Error(`There is no checkout ${sessionId}`);
      const paid = paidCheckout(session, sessionId, customers);
      sessions.set(sessionId, paid);
      return paid;
    },
    misbehave(how, times = 1) {
      trouble = Array<typeof how>(times).fill(how);
    },
    calm() {
      trouble = [];
      seen.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function knownPrice(id: string): Json {
  const price = prices[id];
  if (price === undefined)
    throw new StripeError(404, `No such price: '${id}'`, { code: 'resource_missing', param: 'line_items[0][price]' });
  return price;
}

function knownCustomer(customers: ReadonlyMap<string, Json>, id: string): Json {
  const customer = customers.get(id);
  if (customer === undefined)
    throw new StripeError(400, `No such customer: '${id}'`, { code: 'resource_missing', param: 'customer' });
  return customer;
}

/** What it costs, if its parameters are there and its lines make sense. */
function checkLines(form: Form): number {
  for (const name of Object.keys(form))
    if (!checkoutParameters.includes(name))
      throw new StripeError(400, `Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name });
  for (const name of ['mode', 'success_url', 'line_items'])
    if (form[name] === undefined)
      throw new StripeError(400, `Missing required param: ${name}.`, { code: 'parameter_missing', param: name });
  const { mode } = form;
  if (mode !== 'payment' && mode !== 'subscription')
    throw new StripeError(400, `Invalid mode: must be one of payment, setup, or subscription`);
  for (const name of ['success_url', 'cancel_url'])
    if (form[name] !== undefined && !/^https?:\/\//.test(String(form[name])))
      throw new StripeError(400, 'Not a valid URL', { code: 'url_invalid', param: name });
  let total = 0;
  for (const line of Object.values(form.line_items as Form)) {
    const { price, quantity } = line as Form;
    const known = knownPrice(String(price));
    total += Number(known.unit_amount) * Number(quantity);
    if (!/^[1-9]\d*$/.test(String(quantity))) throw new StripeError(400, 'Quantity is required.');
    if (mode === 'subscription' && known.type !== 'recurring')
      throw new StripeError(
        400,
        'You must provide at least one recurring price in `subscription` mode when using prices.',
      );
    if (mode === 'payment' && known.type === 'recurring')
      throw new StripeError(
        400,
        'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      );
  }
  return total;
}

/** Which parameters go with which. */
function checkTogether(form: Form, customers: ReadonlyMap<string, Json>): void {
  const { mode } = form;
  if (form.customer !== undefined && form.customer_email !== undefined)
    throw new StripeError(400, 'You may only specify one of these parameters: customer, customer_email.');
  if (form.customer_email !== undefined && !/^[^@\s]+@[^@\s]+$/.test(String(form.customer_email)))
    throw new StripeError(400, `Invalid email address: ${form.customer_email}`);
  if (form.customer_creation !== undefined && mode !== 'payment')
    throw new StripeError(400, '`customer_creation` can only be used in `payment` mode.');
  if (form.customer_creation !== undefined && form.customer !== undefined)
    throw new StripeError(400, 'You may only specify one of these parameters: customer, customer_creation.');
  if (form.customer_update !== undefined && form.customer === undefined)
    throw new StripeError(400, '`customer_update` can only be used with `customer`.');
  if (form.subscription_data !== undefined && mode !== 'subscription')
    throw new StripeError(400, 'You can not pass `subscription_data` in `payment` mode.');
  if (form.payment_intent_data !== undefined && mode !== 'payment')
    throw new StripeError(400, 'You can not pass `payment_intent_data` in `subscription` mode.');
  if (form.customer !== undefined) {
    knownCustomer(customers, String(form.customer));
    if (nested(form, 'tax_id_collection', 'enabled') === 'true' && nested(form, 'customer_update', 'name') !== 'auto')
      throw new StripeError(
        400,
        'Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.',
      );
  }
}

function openCheckout(form: Form, customers: ReadonlyMap<string, Json>, secretKey: string): Json & { id: string } {
  const total = checkLines(form);
  checkTogether(form, customers);
  const { mode } = form;
  const id = `cs_test_${randomUUID().replaceAll('-', '')}`;
  return {
    id,
    object: 'checkout.session',
    mode,
    status: 'open',
    payment_status: 'unpaid',
    livemode: secretKey.includes('_live_'),
    url: `https://checkout.stripe.test/c/pay/${id}`,
    success_url: form.success_url,
    cancel_url: form.cancel_url ?? null,
    customer: form.customer ?? null,
    customer_email: form.customer_email ?? null,
    client_reference_id: form.client_reference_id ?? null,
    metadata: form.metadata ?? {},
    amount_total: total,
    currency: 'eur',
    customer_details: null,
    payment_intent: null,
    subscription: null,
    subscription_metadata: nested(form, 'subscription_data', 'metadata') ?? {},
  };
}

function paidCheckout(session: Json, sessionId: string, customers: Map<string, Json>): Json {
  const customer = String(session.customer ?? `cus_${randomUUID().slice(0, 8)}`);
  customers.set(customer, { id: customer, object: 'customer', email: session.customer_email });
  return {
    ...session,
    status: 'complete',
    payment_status: 'paid',
    customer,
    customer_details: { email: session.customer_email },
    ...(session.mode === 'payment'
      ? { payment_intent: `pi_${sessionId.slice(8)}` }
      : { subscription: `sub_${sessionId.slice(8)}` }),
  };
}

function createPortal(form: Form, customers: ReadonlyMap<string, Json>): Json {
  for (const name of Object.keys(form))
    if (!['customer', 'return_url', 'configuration', 'locale', 'flow_data', 'expand'].includes(name))
      throw new StripeError(400, `Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name });
  if (form.customer === undefined)
    throw new StripeError(400, 'Missing required param: customer.', { code: 'parameter_missing', param: 'customer' });
  knownCustomer(customers, String(form.customer));
  const id = `bps_${randomUUID().replaceAll('-', '')}`;
  return {
    id,
    object: 'billing_portal.session',
    customer: form.customer,
    return_url: form.return_url ?? null,
    livemode: false,
    url: `https://billing.stripe.test/p/session/${id}`,
  };
}

/** The header the provider signs a delivery with: HMAC-SHA256 over the time and the exact bytes. */
export function signDelivery(body: string, secret: string, at = Math.floor(Date.now() / 1000)): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
}

function authenticate(request: IncomingMessage, secretKey: string): void {
  const given = /^Bearer (.+)$/.exec(header(request, 'authorization') ?? '')?.[1];
  if (given === undefined) throw new StripeError(401, 'You did not provide an API key.');
  if (given !== secretKey)
    throw new StripeError(401, `Invalid API Key provided: ${given.slice(0, 8)}***${given.slice(-4)}`);
  if (!/^\d{4}-\d{2}-\d{2}(\.\w+)?$/.test(header(request, 'stripe-version') ?? ''))
    throw new StripeError(400, 'Invalid Stripe API version.');
}

function readForm(request: IncomingMessage, text: string): Form {
  if (request.method !== 'POST') return {};
  if (header(request, 'content-type') !== 'application/x-www-form-urlencoded')
    throw new StripeError(400, 'Invalid request: the content type must be application/x-www-form-urlencoded.');
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[');
    let place = form;
    for (const part of path.slice(0, -1)) {
      const next = place[part];
      if (typeof next === 'string') throw new StripeError(400, `Invalid hash: ${name}`);
      place = next ?? {};
      assign(form, path.slice(0, path.indexOf(part) + 1), place);
    }
    place[path.at(-1) ?? ''] = value;
  }
  return form;
}

function assign(form: Form, path: readonly string[], value: Form): void {
  let place = form;
  for (const part of path.slice(0, -1)) place = place[part] as Form;
  place[path.at(-1) ?? ''] = value;
}

function nested(form: Form, ...path: string[]): string | Form | undefined {
  let place: string | Form | undefined = form;
  for (const part of path) place = typeof place === 'object' ? place[part] : undefined;
  return place;
}

function header(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}
