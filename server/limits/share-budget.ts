// Shares work budgets between nodes: each reports its people's usage to Postgres once a second, in one statement, and reads the usage on other nodes.
// Nothing is sent while nothing is charged. While Postgres doesn't answer, this node's own count decides.

import type { Logger } from 'pino';
import { roomRoles } from '../database/room-roles.ts';
import { sql, statement } from '../database/sql.ts';
import type { Database } from '../database/types.ts';
import { refillRate, type SharedBudget } from './budget.ts';

const everyMs = 1000;

/** Gives back how to stop. */
export function shareBudget(budget: SharedBudget, database: Pick<Database, 'objectsAs'>, log: Logger): () => void {
  let telling = false;

  async function tell(): Promise<void> {
    if (telling) return;
    const charges = budget.takeCharges();
    if (charges.size === 0) return;
    telling = true;
    const people = JSON.stringify(Object.fromEntries(charges));
    try {
      const rows = await database.objectsAs<{ person: string; spent: number }>(
        roomRoles.limits,
        statement(sql`select person, spent from private.charge_budgets(${people}::jsonb, ${refillRate}::float8)`),
      );
      for (const { person, spent } of rows) budget.learn(person, Number(spent));
    } catch (error) {
      log.debug({ err: error }, 'work budgets could not be shared with other nodes');
    } finally {
      telling = false;
    }
  }

  const timer = setInterval(() => void tell(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
