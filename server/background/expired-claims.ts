// Claims of tasks whose time has run out: written down in the histories of their tasks. The tasks are free before that; several nodes may ask.

import type { Services } from '../services.ts';
import type { RunningJob } from './every.ts';

const serviceRole = { role: 'service_role', claims: '{"role":"service_role"}' };
const EVERY_MS = 15_000;
const AT_ONCE = 500;

export function startExpiredClaims({ database, jobs }: Pick<Services, 'database' | 'jobs'>): Promise<RunningJob> {
  return jobs.every({
    name: 'expired_claims',
    everyMs: EVERY_MS,
    firstAfterMs: 0,
    async run() {
      const [row] = await database.objectsAs<{ ended: number }>(serviceRole, {
        text: 'select private.end_expired_claims($1) as ended',
        values: [String(AT_ONCE)],
      });
      return (row?.ended ?? 0) >= AT_ONCE;
    },
  });
}
