// Notices proxies in front of the server that TRUST_PROXY does not name, or that do not say for whom they ask: all their
// callers have one address. Each is said in the log at first sight and at the next start, and at the admin pages at once.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { roomRoles } from '../database/room-roles.ts';
import { sql, statement } from '../database/sql.ts';
import type { Database } from '../database/types.ts';
import { textsIn } from '../texts/texts.ts';
import { addressTester } from './address-tester.ts';
import { detectProxy, type ProxySign } from './detect-proxy.ts';
import { plainAddress } from './network-of.ts';

export interface NoticedProxy {
  readonly address: string;
  /** It sends no X-Forwarded-For. */
  readonly silent: boolean;
}

export interface UntrustedProxies {
  /** The address of this request is that of everybody behind such a proxy: it says nothing of the caller. */
  isShared(request: FastifyRequest): boolean;
  /** Tells whether a request comes from one of these addresses and networks itself, and not from behind such a proxy. */
  among(networks: readonly string[]): (request: FastifyRequest) => boolean;
  /** A limit by address that such a proxy uses up turns away everybody behind it: said once in a while. */
  sayRefused(request: FastifyRequest, limit: string): void;
  /** What this process and others on the database noticed in the last week and was not mended since. */
  list(): Promise<readonly NoticedProxy[]>;
  /** Looks at every request of this app from its first byte on. */
  watch(app: FastifyInstance): void;
}

interface Needs {
  readonly config: { readonly server: { readonly trustProxy: readonly string[] } };
  readonly database: Pick<Database, 'objectsAs'>;
  readonly log: Logger;
}

/** Anybody can send the headers; a few addresses are enough to say. */
const mostAddresses = 5;
const saysAgainMs = 300_000;
const english = textsIn('en');

export function openUntrustedProxies({ config, database, log }: Needs): UntrustedProxies {
  const { trustProxy } = config.server;
  const trusts = addressTester(trustProxy);
  const seen = new Map<string, ProxySign>();
  const saidAt = new Map<string, number>();
  /** Named, and silent when they were seen last. */
  const toForget = new Set<string>();
  const ask = <T>(call: ReturnType<typeof sql>) => database.objectsAs<T>(roomRoles.limits, statement(call));
  const askAside = (call: ReturnType<typeof sql>): void =>
    void ask(call).catch((error: unknown) => log.debug({ err: error }, 'a proxy could not be noted'));

  const isOpen = (one: NoticedProxy): boolean => one.silent || !trusts(one.address);
  const warn = (one: NoticedProxy): void => {
    const { about, next } = adviceFor(one);
    log.warn({ address: one.address }, `${english.t(about, one)}. ${english.t(next, one)}`);
  };

  function notice(request: FastifyRequest['raw']): void {
    const { remoteAddress } = request.socket;
    if (remoteAddress === undefined) return;
    const sign = detectProxy(request, trusts(remoteAddress));
    if (sign === null) return;
    const address = plainAddress(remoteAddress);
    if (sign === 'named') {
      if (seen.get(address) !== 'silent' && !toForget.has(address)) return;
      seen.delete(address);
      toForget.delete(address);
      askAside(sql`select private.delete_untrusted_proxy(${address})`);
      return;
    }
    // A silent one that begins to send headers gets other advice.
    const known = seen.get(address);
    if (known === sign || known === 'unnamed' || (known === undefined && seen.size >= mostAddresses)) return;
    seen.set(address, sign);
    const noticed = { address, silent: sign === 'silent' };
    warn(noticed);
    askAside(sql`select private.record_untrusted_proxy(${address}, ${noticed.silent})`);
  }

  async function list(): Promise<readonly NoticedProxy[]> {
    const noted = await ask<NoticedProxy>(sql`select address, silent from private.read_untrusted_proxies()`).catch(
      () => [],
    );
    const all = new Map(noted.map(({ address, silent }) => [address, silent]));
    for (const [address, sign] of seen) all.set(address, sign === 'silent');
    return [...all].map(([address, silent]) => ({ address, silent })).filter(isOpen);
  }

  function isShared(request: FastifyRequest): boolean {
    if (seen.has(plainAddress(request.ip ?? ''))) return true;
    const { remoteAddress } = request.raw.socket;
    if (remoteAddress === undefined) return false;
    const sign = detectProxy(request.raw, trusts(remoteAddress));
    return sign === 'unnamed' || sign === 'silent';
  }

  return {
    isShared,
    among(networks) {
      const isOne = addressTester(networks);
      return (request) => isOne(plainAddress(request.ip ?? '')) && !isShared(request);
    },
    sayRefused(request, limit) {
      if (!isShared(request) || (saidAt.get(limit) ?? 0) > Date.now() - saysAgainMs) return;
      saidAt.set(limit, Date.now());
      log.warn(
        { address: plainAddress(request.ip ?? ''), limit },
        'a limit by address turns away everybody behind a proxy that TRUST_PROXY does not name',
      );
    },
    list,
    watch(app) {
      // In front of Fastify and of the doors that stand before it.
      app.server.prependListener('request', notice);
      app.server.prependListener('upgrade', notice);
      app.addHook('onReady', async () => {
        for (const one of await list()) {
          warn(one);
          if (trusts(one.address)) toForget.add(one.address);
          else if (seen.size < mostAddresses) seen.set(one.address, one.silent ? 'silent' : 'unnamed');
        }
      });
    },
  };
}

/** The same words for the log, `kanbase doctor` and the admin pages. */
export function adviceFor({ silent }: NoticedProxy) {
  return silent
    ? ({ about: 'health.proxy.silent', next: 'health.proxy.speak' } as const)
    : ({ about: 'health.proxy.unnamed', next: 'health.proxy.name' } as const);
}
