// The same buckets in Postgres, one statement each, so that several nodes count together. Where Postgres does not
// answer, this node's own count decides: a limit is no reason to turn everybody away.

import { sql, statement } from '../database/sql.ts';
import type { Caller, Database } from '../database/types.ts';
import type { Limits } from './types.ts';

const caller: Caller = { role: 'kanbase_limits', claims: '{}' };

export function countInPostgres(database: Database, fallback: Limits): Limits {
  return {
    async take(limit, key) {
      if (limit.perNode) return fallback.take(limit, key);
      try {
        const [row] = await database.objectsAs<{ wait: number }>(
          caller,
          statement(
            sql`select private.take_point(${`${limit.name} ${key}`}, ${limit.points}, ${limit.windowSeconds}) as wait`,
          ),
        );
        const wait = Number(row?.wait ?? 0);
        return { allowed: wait === 0, retryAfterSeconds: Math.ceil(wait) };
      } catch {
        return fallback.take(limit, key);
      }
    },
  };
}
