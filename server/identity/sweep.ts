// Removes expired rows: used-up proofs, dead sessions, old audit rows. Every quarter of an hour, on every node; two that
// do it at once do no harm.

import { sql } from '../database/sql.ts';
import type { Services } from '../services.ts';
import type { IdentityContext } from './identity-context.ts';

const everyMs = 15 * 60_000;

export async function sweep(context: IdentityContext): Promise<void> {
  const { auditDays, sessionIdleDays, anonymousDays } = context.settings;
  const [row] = await context.query<{ swept: Record<string, number> }>(
    sql`select auth.sweep(${auditDays}, ${sessionIdleDays}, ${anonymousDays}) as swept`,
  );
  await context.query(sql`select auth.sweep_oauth()::text`);
  context.log.debug({ swept: row?.swept }, 'expired identity rows are gone');
}

/** The first run comes a moment after the start, not during it. */
export async function sweepRegularly(context: IdentityContext, jobs: Services['jobs']): Promise<void> {
  await jobs.every({ name: 'sweep_accounts', everyMs, firstAfterMs: 60_000, run: () => sweep(context) });
}
