// Takes away what has had its time: used-up proofs, dead sessions, old audit rows. Every quarter of an hour, on every
// node; two that do it at once do no harm.

import { sql } from '../database/sql.ts';
import type { Services } from '../services.ts';
import type { IdentityContext } from './identity-context.ts';

const everyMs = 15 * 60_000;

export async function sweep(context: IdentityContext): Promise<void> {
  const { auditDays, sessionIdleDays, anonymousDays } = context.settings;
  const [row] = await context.query<{ swept: Record<string, number> }>(
    sql`select auth.sweep(${auditDays}, ${sessionIdleDays}, ${anonymousDays}) as swept`,
  );
  context.log.debug({ swept: row?.swept }, 'expired identity rows are gone');
}

/** Returns how to stop. The first round comes a moment after the start, not during it. */
export function sweepRegularly(context: IdentityContext, jobs: Services['jobs']): () => void {
  const round = () =>
    void jobs
      .round('sweep_accounts', () => sweep(context))
      .catch((error: unknown) => context.log.warn({ err: error }, 'expired identity rows could not be swept'));
  const first = setTimeout(round, 60_000);
  const timer = setInterval(round, everyMs);
  first.unref();
  timer.unref();
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}
