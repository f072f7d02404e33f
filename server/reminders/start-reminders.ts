// Reminds people of what is due: asks the database to, when the service starts and every hour after. Whom and of what
// is the database's business (private.notify_due_soon); several nodes may ask, each reminder is written once.

import type { House } from '../house.ts';

const HOUR_MS = 3_600_000;
const SERVICE = { role: 'service_role', claims: '{"role":"service_role"}' };

export interface Reminders {
  stop(): Promise<void>;
}

export function startReminders({ database, log }: Pick<House, 'database' | 'log'>): Reminders {
  const remind = async (): Promise<void> => {
    try {
      const [row] = await database.objectsAs<{ told: number }>(SERVICE, {
        text: 'select private.notify_due_soon() as told',
        values: [],
      });
      log.debug({ told: row?.told }, 'reminded of what is due');
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
