// Reminds people of what is due: asks the database to, when the service starts and every hour after. Whom and of what
// is the database's business (private.notify_of_due_dates); several nodes may ask, each reminder is written once.

import type { Services } from '../services.ts';

const HOUR_MS = 3_600_000;
const SERVICE = { role: 'service_role', claims: '{"role":"service_role"}' };

export interface Reminders {
  stop(): Promise<void>;
}

export function startReminders({ database, jobs, log }: Pick<Services, 'database' | 'jobs' | 'log'>): Reminders {
  const remind = async (): Promise<void> => {
    try {
      const [row] = await jobs.round('reminders', () =>
        database.objectsAs<{ reminders: number }>(SERVICE, {
          text: 'select private.notify_of_due_dates() as reminders',
          values: [],
        }),
      );
      log.debug({ reminders: row?.reminders }, 'reminded of what is due');
    } catch (error) {
      log.warn({ err: error }, 'could not remind of what is due; will try again in an hour');
    }
  };
  let underway = remind();
  const timer = setInterval(() => {
    underway = remind();
  }, HOUR_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await underway;
    },
  };
}
