// What every operation of the identity door works with: its settings, its own corner of the database, its secrets.

import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { type Fragment, statement } from '../database/sql.ts';
import type { Caller, Result } from '../database/types.ts';
import type { House } from '../house.ts';
import type { Limits } from '../limits/types.ts';
import type { Sessions } from '../session/types.ts';
import { openPasswords, type Passwords } from './passwords.ts';
import { openProviders, type Providers } from './providers.ts';
import { openRefreshLog, type RefreshLog } from './refresh-log.ts';

export type Settings = Config['identity'];

/** Something that takes SQL: the room itself, one statement at a time, or a transaction of it. */
export interface Desk {
  query<T = Record<string, unknown>>(sql: Fragment): Promise<T[]>;
}

export interface Room extends Desk {
  readonly settings: Settings;
  readonly siteUrl: string;
  /** New accounts need not confirm their address. */
  readonly autoconfirm: boolean;
  readonly passwords: Passwords;
  readonly providers: Providers;
  readonly sessions: Sessions;
  readonly limits: Limits;
  readonly log: Logger;
  readonly refreshes: RefreshLog;
  /** Keys of our own, one for each purpose. */
  readonly keys: {
    readonly refresh: Buffer;
    readonly seal: Buffer;
    readonly mail: Buffer;
    readonly device: Buffer;
    readonly lookalike: Buffer;
  };
  /** Rows of a read, as Postgres wrote them. */
  read(sql: Fragment): Promise<Result>;
  transact<T>(work: (desk: Desk) => Promise<T>): Promise<T>;
}

/** The role that reaches schema auth and nothing else. */
const caller: Caller = { role: 'kanbase_identity', claims: '{}' };

export function openRoom(house: House): Room {
  const { config, database, sessions, limits, log, siteUrl } = house;
  const query: Desk['query'] = (sql) => database.objectsAs(caller, statement(sql));
  return {
    settings: config.identity,
    siteUrl,
    autoconfirm: config.identity.autoconfirm ?? config.mail.smtpUrl === null,
    passwords: openPasswords(),
    providers: openProviders(config.identity, siteUrl),
    sessions,
    limits,
    log,
    refreshes: openRefreshLog({ query }, log),
    keys: {
      refresh: sessions.deriveKey('refresh tokens'),
      seal: sessions.deriveKey('sealed values'),
      mail: sessions.deriveKey('mail'),
      device: sessions.deriveKey('known devices'),
      lookalike: sessions.deriveKey('accounts that are not there'),
    },
    query,
    read: (sql) => database.runAs(caller, statement(sql), { readOnly: true }),
    transact: (work) => database.transactAs(caller, (tx) => work({ query: (sql) => tx.objects(statement(sql)) })),
  };
}
