// An account as clients see it, from a statement that describes it.

import type { sql } from '../../database/sql.ts';
import { refuse } from '../errors.ts';
import type { Db, User } from '../types.ts';

export async function readUser(db: Db, query: ReturnType<typeof sql>): Promise<User> {
  const [row] = await db.query<{ user: User }>(query);
  if (!row) throw refuse('user_not_found', 'User not found');
  return row.user;
}
