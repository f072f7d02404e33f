// Limits of this service: counted in memory by a single node, in Postgres when several nodes must count together.

import type { Config } from '../config/config.ts';
import type { Database } from '../database/types.ts';
import { countInMemory } from './count-in-memory.ts';
import { countInPostgres } from './count-in-postgres.ts';
import type { Limits } from './types.ts';

export function openLimits(config?: Config, database?: Database): Limits {
  const memory = countInMemory();
  if (config === undefined || database === undefined) return memory;
  return sharesLimits(config) ? countInPostgres(database, memory) : memory;
}

/** Several nodes may be there: what one counts the others must know. */
export function sharesLimits({ identity, database }: Config): boolean {
  return identity.sharedLimits ?? database.url !== null;
}
