// The same buckets in Postgres, one statement each, so that several nodes count together. Where Postgres does not
// answer, this node's own count decides: a limit is no reason to turn everybody away.

import { raw, sql, statement } from '../database/sql.ts';
import type { Caller, Database } from '../database/types.ts';
import type { Knock, Limit, Limits } from './types.ts';

const caller: Caller = { role: 'kanbase_limits', claims: '{}' };

export function countInPostgres(database: Database, fallback: Limits): Limits {
  async function ask(what: 'take' | 'look', limit: Limit, key: string): Promise<Knock> {
    if (limit.perNode) return fallback[what](limit, key);
    const asked = what === 'take' ? raw('private.take_point') : raw('private.look_for_point');
    try {
      const [row] = await database.objectsAs<{ wait: number }>(
        caller,
        statement(sql`select ${asked}(${`${limit.name} ${key}`}, ${limit.points}, ${limit.windowSeconds}) as wait`),
      );
      const wait = Number(row?.wait ?? 0);
      return { allowed: wait === 0, retryAfterSeconds: Math.ceil(wait) };
    } catch {
      return fallback[what](limit, key);
    }
  }

  return {
    async give(limit, key) {
      if (limit.perNode) return fallback.give(limit, key);
      try {
        const asked = sql`select private.give_point(${`${limit.name} ${key}`}, ${limit.points})`;
        await database.objectsAs(caller, statement(asked));
      } catch {
        await fallback.give(limit, key);
      }
    },
    take: (limit, key) => ask('take', limit, key),
    look: (limit, key) => ask('look', limit, key),
  };
}
