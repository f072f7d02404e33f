// The plans as rows, for the command that keeps them.

import { roomRoles } from '../database/room-roles.ts';
import { sql, statement } from '../database/sql.ts';
import type { Database } from '../database/types.ts';

export interface Plan {
  readonly price_id: string;
  readonly name: string;
  readonly mode: 'payment' | 'subscription';
  readonly amount: number | null;
  readonly currency: string | null;
  readonly interval: string | null;
  readonly interval_count: number;
  readonly limits: Readonly<Record<string, number>>;
  readonly is_enforced: boolean;
  readonly is_offered: boolean;
  readonly position: number;
}

export function listPlans(database: Database): Promise<Plan[]> {
  return database.objectsAs<Plan>(
    roomRoles.billing,
    statement(sql`
      select price_id, name, mode, amount, currency, "interval", interval_count, limits, is_enforced, is_offered, position
      from billing.plans
      order by position, amount nulls last, price_id
    `),
    { readOnly: true },
  );
}

export async function savePlan(database: Database, plan: Plan): Promise<void> {
  await database.runAs(
    roomRoles.billing,
    statement(sql`
      insert into billing.plans
        (price_id, name, mode, amount, currency, "interval", interval_count, limits, is_enforced, is_offered, position)
      values (
        ${plan.price_id}, ${plan.name}, ${plan.mode}, ${plan.amount}::bigint, ${plan.currency}, ${plan.interval},
        ${plan.interval_count}::int, ${plan.limits}::jsonb, ${plan.is_enforced}::boolean, ${plan.is_offered}::boolean, ${plan.position}::int
      )
      on conflict (price_id) do update set
        name = excluded.name, mode = excluded.mode, amount = excluded.amount, currency = excluded.currency,
        "interval" = excluded."interval", interval_count = excluded.interval_count, limits = excluded.limits, is_enforced = excluded.is_enforced,
        is_offered = excluded.is_offered, position = excluded.position, updated_at = now()
    `),
  );
}

export async function deletePlan(database: Database, priceId: string): Promise<boolean> {
  const { affected } = await database.runAs(
    roomRoles.billing,
    statement(sql`delete from billing.plans where price_id = ${priceId}`),
  );
  return affected > 0;
}
