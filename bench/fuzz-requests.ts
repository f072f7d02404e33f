// One fuzzed request after another, over all doors: what /openapi.json describes, and beside it what people and machines use
// without a description. The same dice make the same request, but for ids that the server gave.

import { METHODS, type OpenApi, type Parameter, type Schema } from '../server/http/open-api.ts';
import { plainTableQuery, spoiltTableQuery } from './fuzz-tables.ts';
import { fittingValue, type Known, noise, sayable, wordOf } from './fuzz-values.ts';
import { signedDelivery } from './payment-stand-in.ts';
import type { Dice } from './seeded.ts';

export interface FuzzRequest {
  readonly door: string;
  /** The route as its description has it. */
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
}

export interface Doors {
  readonly schemas: OpenApi['components']['schemas'];
  readonly byName: ReadonlyMap<string, readonly Route[]>;
  /** Names of doors, each as often as it shall be asked. */
  readonly draw: readonly string[];
}

/** How often each door is asked, in a hundred. Passwords cost a processor some fifty milliseconds, so that there are fewer of those. */
const shares: Readonly<Record<string, number>> = {
  tables: 34,
  procedures: 20,
  files: 14,
  identity: 8,
  broadcasts: 3,
  pages: 8,
  feeds: 4,
  billing: 3,
  imports: 2,
  admin: 5,
  webhooks: 1,
};

/** Routes without a description: pages, emails shown to developers, addresses that open without signing in. */
const undescribed: readonly (readonly [door: string, method: string, path: string])[] = [
  ...[
    '/',
    '/app',
    '/app/{path}',
    '/sign-in',
    '/sign-up',
    '/admin',
    '/assets/{path}',
    '/docs',
    '/docs/{path}',
    '/{path}',
  ].map((path) => ['pages', 'get', path] as const),
  ['pages', 'get', '/dev/inbox'],
  ['pages', 'get', '/dev/inbox/{id}'],
  ['pages', 'get', '/invitation/{token}'],
  ['feeds', 'get', '/api/unsubscribe?token={token}'],
  ['feeds', 'post', '/api/unsubscribe?token={token}'],
  ['feeds', 'get', '{link}'],
  ['files', 'get', '{link}'],
  ['broadcasts', 'get', '/realtime/v1/{path}'],
];

export function readDoors(document: OpenApi): Doors {
  const byName = new Map<string, Route[]>();
  const add = (door: string, route: Route): void => {
    byName.set(door, [...(byName.get(door) ?? []), route]);
  };
  for (const [path, item] of Object.entries(document.paths))
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      const parameters = (operation.parameters ?? []).map((one) =>
        one.$ref === undefined ? one : (document.components.parameters[one.$ref.split('/').pop() ?? ''] ?? {}),
      );
      add(doorOf(path), {
        method,
        path,
        parameters,
        body: operation.requestBody?.content['application/json']?.schema ?? null,
      });
    }
  for (const [door, method, path] of undescribed) add(door, { method, path, parameters: [], body: null });
  const draw = [...byName.keys()].flatMap((door) => Array.from({ length: shares[door] ?? 1 }, () => door));
  return { schemas: document.components.schemas, byName, draw };
}

function doorOf(path: string): string {
  if (path.startsWith('/rest/v1/rpc/')) return 'procedures';
  if (path.startsWith('/rest/')) return 'tables';
  if (path.startsWith('/storage/')) return 'files';
  if (path.startsWith('/auth/v1/')) return 'identity';
  if (path.startsWith('/realtime/')) return 'broadcasts';
  if (path.startsWith('/api/webhooks')) return 'webhooks';
  if (path.startsWith('/api/billing') || path.startsWith('/api/webhook')) return 'billing';
  if (path.startsWith('/api/imports')) return 'imports';
  if (path.startsWith('/api/admin')) return 'admin';
  if (path.startsWith('/ical/')) return 'feeds';
  return 'pages';
}

export function fuzzRequest(doors: Doors, dice: Dice, known: Known): FuzzRequest {
  const door = dice.pick(doors.draw);
  const routes = doors.byName.get(door) ?? [];
  // Many that the database is asked for, since what is refused before that says little of what lies behind.
  if (door === 'tables' && dice.chance(0.45)) return plainRead(doors, routes, dice, known);
  const route = dice.pick(routes);
  const method = dice.chance(0.05)
    ? dice.pick(['get', 'head', 'post', 'put', 'patch', 'delete', 'options'])
    : route.method;
  const type = dice.chance(0.85) ? 'application/json' : dice.pick(contentTypes);
  const body = ['get', 'head', 'options'].includes(method) ? null : bodyOf(doors, route, type, dice, known);
  const asked: FuzzRequest = {
    door,
    route: route.path,
    method: method.toUpperCase(),
    path: addressOf(door, doors, route, dice, known),
    headers: { ...headersOf(door, route, dice, known), ...(body === null ? {} : { 'content-type': type }) },
    body,
  };
  return /webhook/.test(route.path) && dice.chance(0.7) ? asPaymentEvent(asked, dice, known) : asked;
}

function plainRead(doors: Doors, routes: readonly Route[], dice: Dice, known: Known): FuzzRequest {
  const { path } = dice.pick(routes.filter(({ method, path: its }) => method === 'get' && its !== '/rest/v1/'));
  const parts = plainTableQuery(path, doors.schemas, dice, known);
  const prefer = dice.pick(['count=exact', 'count=planned', 'handling=strict', '']);
  return {
    door: 'tables',
    route: path,
    method: dice.chance(0.1) ? 'HEAD' : 'GET',
    path: parts.length === 0 ? path : `${path}?${parts.join('&')}`,
    headers: {
      apikey: known.anonKey,
      authorization: `Bearer ${dice.pick(known.tokens)}`,
      ...(prefer === '' ? {} : { prefer }),
    },
    body: null,
  };
}

/** Signed as the provider signs: of a payment or a customer as it tells of them, or around a body of whatever kind. */
function asPaymentEvent(asked: FuzzRequest, dice: Dice, known: Known): FuzzRequest {
  const customer = `cus_${dice.below(50)}`;
  const object = dice.chance(0.5)
    ? { id: customer, object: 'customer', email: `person${dice.below(200)}@fuzz.test` }
    : {
        id: `cs_test_${dice.below(1000)}`,
        object: 'checkout.session',
        mode: dice.pick(['payment', 'subscription']),
        payment_status: dice.pick(['paid', 'unpaid']),
        customer,
        client_reference_id: dice.pick(known.ids),
        amount_total: dice.below(10_000),
        currency: 'eur',
      };
  const type =
    object.object === 'customer' ? dice.pick(['customer.created', 'customer.updated']) : 'checkout.session.completed';
  const event = {
    id: `evt_${dice.below(1000)}`,
    object: 'event',
    type: dice.chance(0.9) ? type : 'something.else',
    created: Math.floor(Date.now() / 1000) - dice.below(1000),
    livemode: dice.chance(0.05),
    data: { object },
  };
  const body = dice.chance(0.7) ? Buffer.from(JSON.stringify(event)) : (asked.body ?? Buffer.alloc(0));
  const headers = { ...asked.headers, 'content-type': 'application/json' };
  return {
    ...asked,
    method: 'POST',
    body,
    headers: { ...headers, 'stripe-signature': signedDelivery(body, known.webhookSecret) },
  };
}

function addressOf(door: string, doors: Doors, route: Route, dice: Dice, known: Known): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    if (name === 'link') return dice.pick(known.links);
    if (dice.chance(0.15)) return sayable(noise(dice).slice(0, 300));
    if (name === 'bucket') return dice.pick(['attachments', 'attachments', 'avatars', 'none']);
    if (name === 'path' || name === '*') return dice.pick(known.files);
    if (name === 'feed') return dice.pick(known.feeds);
    if (name === 'token') return sayable(dice.pick(known.secrets));
    return dice.pick(known.ids);
  });
  const columns = route.parameters.flatMap(({ name, in: place }) =>
    place === 'query' && name !== undefined ? [name] : [],
  );
  const parts = door === 'tables' ? spoiltTableQuery(columns, dice, known) : plainQuery(doors, route, dice, known);
  if (dice.chance(0.1)) parts.push(`${sayable(noise(dice))}=${sayable(noise(dice))}`);
  const address = parts.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${parts.join('&')}`;
  // Heads of more than 64 KB are refused before anybody looks at them: once in a while is enough.
  return address.length > 20_000 && !dice.chance(0.05) ? address.slice(0, 20_000).replace(/%.?$/, '') : address;
}

function plainQuery({ schemas }: Doors, route: Route, dice: Dice, known: Known): string[] {
  return route.parameters
    .filter((one) => one.in === 'query' && (one.required === true || dice.chance(0.4)))
    .map(
      (one) =>
        `${sayable(one.name ?? '')}=${sayable(wordOf(fittingValue(one.schema ?? {}, one.name ?? '', schemas, dice, known)))}`,
    );
}

const contentTypes = [
  ...[
    'text/csv',
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/octet-stream',
    'image/png',
    'text/html',
  ],
  ...[
    'multipart/form-data; boundary=b',
    'application/offset+octet-stream',
    'application/json; charset=x',
    'nonsense',
    '',
  ],
];

function bodyOf({ schemas }: Doors, route: Route, type: string, dice: Dice, known: Known): Buffer | null {
  if (dice.chance(0.05)) return null;
  if (type.startsWith('multipart/'))
    return Buffer.from(
      `--b\r\ncontent-disposition: form-data; name="${dice.pick(['', 'file', 'metadata'])}"; filename="f"\r\n\r\n${noise(dice)}\r\n${dice.chance(0.8) ? '--b--\r\n' : ''}`,
    );
  if (type === 'text/csv' || !type.startsWith('application/json')) return Buffer.from(noise(dice), 'utf8');
  const value = fittingValue(route.body ?? { type: ['object', 'string', 'array'] }, '', schemas, dice, known);
  const bytes = Buffer.from(JSON.stringify(value) ?? '', 'utf8');
  if (dice.chance(0.9) || bytes.length === 0) return bytes;
  // Cut off or spoilt in one place.
  if (dice.chance(0.5)) return bytes.subarray(0, dice.below(bytes.length));
  bytes[dice.below(bytes.length)] = dice.below(256);
  return bytes;
}

const extraHeaders: readonly (readonly [string, readonly string[]])[] = [
  [
    'prefer',
    [
      'return=representation',
      'count=exact',
      'count=planned, return=headers-only',
      'resolution=merge-duplicates',
      'resolution=ignore-duplicates, missing=default',
      'handling=strict, max-affected=1',
      'tx=rollback',
      'timezone=Europe/Berlin',
      'return=,;="',
    ],
  ],
  ['range', ['0-9', 'bytes=0-', 'bytes=5-2', 'items=-1', '9999999999999999999-']],
  [
    'accept',
    [
      'text/csv',
      'application/vnd.pgrst.object+json',
      'application/vnd.pgrst.plan+json',
      'application/geo+json',
      '*/*;q=0',
      'x',
    ],
  ],
  ['accept-profile', ['public', 'auth', 'private', 'x']],
  ['content-profile', ['public', 'auth', 'x']],
  ['if-none-match', ['*', '"x"', 'W/"']],
  ['x-upsert', ['true', 'x']],
  ['cookie', ['sb-auth-token=base64-e30', 'sb-auth-token=%zz; language=xx', 'kanbase=;;;=']],
  ['x-forwarded-for', ['10.0.0.1', "' or 1=1"]],
  ['origin', ['https://evil.test', 'null']],
  ['tus-resumable', ['1.0.0', '0.9']],
  ['upload-length', ['10', '-1', '1e400']],
  ['upload-offset', ['0', '11', 'x']],
  ['upload-metadata', ['bucketName YXR0YWNobWVudHM=,objectName YQ==', 'objectName', ',,,']],
  ['accept-language', ['de', '*;q=', 'xx-'.repeat(200)]],
  ['content-encoding', ['gzip', 'x']],
  ['expect', ['200-maybe']],
];

function headersOf(door: string, route: Route, dice: Dice, known: Known): Record<string, string> {
  const key = dice.chance(0.95) ? known.anonKey : dice.pick(['', 'x', known.serviceKey, known.anonKey.slice(0, -3)]);
  const drawn = dice.below(20);
  const token =
    drawn < 14
      ? door === 'admin'
        ? known.operator
        : dice.pick(known.tokens)
      : drawn < 17
        ? known.anonKey
        : drawn < 18
          ? known.serviceKey
          : dice.pick([
              '',
              'x',
              'eyJhbGciOiJub25lIn0.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.',
              `${known.serviceKey.slice(0, -4)}AAAA`,
            ]);
  const headers: Record<string, string> = { apikey: key, authorization: `Bearer ${token}` };
  const isFiles = route.path.startsWith('/storage');
  for (let count = dice.below(3); count > 0; count--) {
    const [name, values] = dice.pick(extraHeaders);
    if (name.startsWith('upload') && !isFiles) continue;
    headers[name] = dice.chance(0.85) ? dice.pick(values) : printable(noise(dice)).slice(0, 2000);
  }
  return headers;
}

/** What may stand in a header: Node's client refuses the rest, and raw bytes are sent apart. */
const printable = (text: string): string => text.replaceAll(/[^ -~]/g, '?');
