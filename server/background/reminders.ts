// Reminders of due tasks: asks the database for them when the service starts and every hour after. Recipients and tasks
// are the database's business (private.notify_of_due_dates); several nodes may ask, each reminder is written once.

import type { Services } from '../services.ts';
import type { RunningJob } from './every.ts';

const HOUR_MS = 3_600_000;
const serviceRole = { role: 'service_role', claims: '{"role":"service_role"}' };

export function startReminders({
  database,
  jobs,
  log,
}: Pick<Services, 'database' | 'jobs' | 'log'>): Promise<RunningJob> {
  return jobs.every({
    name: 'reminders',
    everyMs: HOUR_MS,
    firstAfterMs: 0,
    async run() {
      const [row] = await database.objectsAs<{ reminders: number }>(serviceRole, {
        text: 'select private.notify_of_due_dates() as reminders',
        values: [],
      });
      log.debug({ reminders: row?.reminders }, 'reminded of due tasks');
    },
  });
}
