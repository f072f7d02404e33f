// The same buckets in Postgres, one statement each, so that several nodes count together. Where Postgres does not
// answer, this node's own count decides: a limit is no reason to turn everybody away.

import { roomRoles } from '../database/room-roles.ts';
import { raw, sql, statement } from '../database/sql.ts';
import type { Database } from '../database/types.ts';
import { bucketName } from './bucket-name.ts';
import type { Limit, LimitResult, Limits } from './types.ts';

export function countInPostgres(database: Database, fallback: Limits): Limits {
  async function count(what: 'take' | 'look', limit: Limit, key: string): Promise<LimitResult> {
    if (limit.perNode) return fallback[what](limit, key);
    const procedure = what === 'take' ? raw('private.take_token') : raw('private.seconds_until_token');
    try {
      const [row] = await database.objectsAs<{ wait: number }>(
        roomRoles.limits,
        statement(sql`select ${procedure}(${bucketName(limit, key)}, ${limit.points}, ${limit.windowSeconds}) as wait`),
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
        const given = sql`select private.return_token(${bucketName(limit, key)}, ${limit.points})`;
        await database.objectsAs(roomRoles.limits, statement(given));
      } catch {
        await fallback.give(limit, key);
      }
    },
    take: (limit, key) => count('take', limit, key),
    look: (limit, key) => count('look', limit, key),
  };
}
