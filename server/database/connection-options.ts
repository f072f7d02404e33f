// A database address as the `pg` client wants it, for tools and tests that use one.

import type { ClientConfig } from 'pg';
import { tlsOptions } from './wire/dial.ts';
import { parseTarget, type Target } from './wire/target.ts';

const lacksPassword = ({ user }: Target): string => `The database asks ${user} for a password and the address has none`;

export function connectionOptions(url: string): ClientConfig {
  const target = parseTarget(url);
  const insists = ['require', 'verify-ca', 'verify-full'].includes(target.sslmode);
  return {
    host: target.host,
    port: target.port,
    user: target.user,
    database: target.database,
    // Without one this client would look into PGPASSWORD and ~/.pgpass, where the pool of requests does not look.
    password: target.password ?? (() => Promise.reject(new Error(lacksPassword(target)))),
    // This client cannot ask first whether TLS is offered: `prefer` and `allow` go without.
    // Whoever holds a lock by it has to know when the way to the database is gone.
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    ssl: insists ? tlsOptions(target) : false,
  };
}
