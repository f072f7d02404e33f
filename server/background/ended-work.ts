// Claims of tasks and sessions of agents whose time has run out: written down as ended. They hold nothing any more before that; several nodes may ask.

import type { Services } from '../services.ts';
import type { RunningJob } from './every.ts';

const serviceRole = { role: 'service_role', claims: '{"role":"service_role"}' };
const AT_ONCE = 500;

const ending = [
  { name: 'expired_claims', everyMs: 15_000, text: 'select private.end_expired_claims($1) as ended' },
  { name: 'stale_sessions', everyMs: 60_000, text: 'select private.end_stale_sessions($1) as ended' },
];

export function startEndedWork({ database, jobs }: Pick<Services, 'database' | 'jobs'>): Promise<RunningJob>[] {
  return ending.map(({ name, everyMs, text }) =>
    jobs.every({
      name,
      everyMs,
      firstAfterMs: 0,
      async run() {
        const [row] = await database.objectsAs<{ ended: number }>(serviceRole, { text, values: [String(AT_ONCE)] });
        return (row?.ended ?? 0) >= AT_ONCE;
      },
    }),
  );
}
