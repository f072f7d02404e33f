// Says when requests come through a proxy that TRUST_PROXY does not name: all its callers then have one address, which limits
// by address cannot tell apart. Said in the log at first sight, kept for the next start and for `kanbase doctor`.

import { BlockList, isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { sql, statement } from '../database/sql.ts';
import type { Caller, Database } from '../database/types.ts';
import { plainAddress } from './network-of.ts';

interface Needs {
  readonly config: { readonly server: { readonly trustProxy: readonly string[] } };
  readonly database: Pick<Database, 'objectsAs'>;
  readonly log: Logger;
}

const caller: Caller = { role: 'kanbase_limits', claims: '{}' };
/** Anybody can send the header; a few addresses are enough to say. */
const mostAddresses = 5;

export function noticeUntrustedProxies(app: FastifyInstance, { config, database, log }: Needs): void {
  const seen = new Set<string>();
  const warn = (address: string) => log.warn({ address }, adviceFor(address));

  app.addHook('onReady', async () => {
    const known = await database
      .objectsAs<{ address: string }>(caller, statement(sql`select address from private.list_untrusted_proxies()`))
      .catch(() => []);
    for (const { address } of known) if (!isTrusted(address, config.server.trustProxy)) warn(address);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    done();
    const address = forwarderOf(request);
    if (address === null || seen.has(address) || seen.size >= mostAddresses) return;
    seen.add(address);
    warn(address);
    database
      .objectsAs(caller, statement(sql`select private.note_untrusted_proxy(${address})`))
      .catch((error: unknown) => log.debug({ err: error }, 'an untrusted proxy could not be noted'));
  });
}

export function adviceFor(address: string): string {
  return `requests from ${address} carry X-Forwarded-For, and TRUST_PROXY does not name it: if it is your proxy, set TRUST_PROXY=${address}, or limits by address count all its callers as one`;
}

/** The other end of the connection, when it says to speak for others and is not believed. */
function forwarderOf(request: FastifyRequest): string | null {
  const { 'x-forwarded-for': forwardedFor, forwarded } = request.headers;
  const address = request.socket.remoteAddress;
  if ((forwardedFor === undefined && forwarded === undefined) || address === undefined) return null;
  return request.ip === address ? plainAddress(address) : null;
}

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

export function isTrusted(address: string, trustProxy: readonly string[]): boolean {
  const list = new BlockList();
  for (const network of trustProxy.flatMap((part) => named[part] ?? [part])) {
    const [base = '', bits] = network.split('/', 2);
    const family = isIP(base) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(base, family);
    else list.addSubnet(base, Number(bits), family);
  }
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
