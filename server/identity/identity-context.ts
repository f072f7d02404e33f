// Context of the identity door: its settings, its access to the database and its secrets.

import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { roomRoles } from '../database/room-roles.ts';
import { type Fragment, statement } from '../database/sql.ts';
import type { Result } from '../database/types.ts';
import type { Limits } from '../limits/types.ts';
import type { UntrustedProxies } from '../limits/untrusted-proxies.ts';
import type { Services } from '../services.ts';
import type { Sessions } from '../session/types.ts';
import { openPasswords, type Passwords } from './accounts/passwords.ts';
import { openProviders, type Providers } from './outside-issuers/providers.ts';
import { openRefreshLog, type RefreshLog } from './tokens/refresh-log.ts';

export type Settings = Config['identity'];

import type { Db } from './types.ts';

export interface IdentityContext extends Db {
  readonly settings: Settings;
  /** Where people use the service; sign-ins return there. */
  readonly siteUrl: string;
  /** Where /auth/v1 is reached: the same, unless the pages live elsewhere. */
  readonly apiUrl: string;
  /** New accounts need not confirm their address. */
  readonly autoconfirm: boolean;
  readonly passwords: Passwords;
  readonly providers: Providers;
  readonly sessions: Sessions;
  readonly limits: Limits;
  readonly proxies: UntrustedProxies;
  /** Limits by address leave these out. */
  isExempt(request: FastifyRequest): boolean;
  readonly log: Logger;
  readonly fetch: Services['fetch'];
  readonly refreshes: RefreshLog;
  /** Keys of our own, one for each purpose. */
  readonly keys: {
    readonly refresh: Buffer;
    readonly programs: Buffer;
    readonly seal: Buffer;
    readonly mail: Buffer;
    readonly device: Buffer;
    readonly lookalike: Buffer;
  };
  /** Rows of a read, as Postgres wrote them. */
  read(sql: Fragment): Promise<Result>;
  transact<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

export function openIdentityContext(services: Services): IdentityContext {
  const { config, database, sessions, limits, proxies, log, siteUrl, fetch } = services;
  const apiUrl = config.server.apiExternalUrl ?? siteUrl;
  const query: Db['query'] = (sql) => database.objectsAs(roomRoles.identity, statement(sql));
  return {
    settings: config.identity,
    siteUrl,
    apiUrl,
    get autoconfirm() {
      return config.identity.autoconfirm ?? config.mail.smtpUrl === null;
    },
    passwords: openPasswords(),
    providers: openProviders(config.identity, apiUrl),
    sessions,
    limits,
    proxies,
    isExempt: proxies.among(config.identity.limitExempt),
    log,
    fetch,
    refreshes: openRefreshLog({ query }, log),
    keys: {
      refresh: sessions.deriveKey('refresh tokens'),
      programs: sessions.deriveKey('refresh tokens of programs'),
      seal: sessions.deriveKey('sealed values'),
      mail: sessions.deriveKey('mail'),
      device: sessions.deriveKey('known devices'),
      lookalike: sessions.deriveKey('accounts that are not there'),
    },
    query,
    read: (sql) => database.runAs(roomRoles.identity, statement(sql), { readOnly: true }),
    transact: (work) =>
      database.transactAs(roomRoles.identity, (tx) => work({ query: (sql) => tx.objects(statement(sql)) })),
  };
}
