// Refuses tokens of ended sessions at every door at once, not when they expire: after a sign-out, ban, deletion or change of password
// Postgres notes the sessions that end (sql/rules/accounts/sessions.sql) and notifies the nodes, and each node refuses their tokens without
// asking the database again. The identity door asks it anyway, for the exact error.

import { sql } from '../../database/sql.ts';
import type { Database } from '../../database/types.ts';
import type { IdentityContext } from '../identity-context.ts';

const channel = 'kanbase_ended_sessions';
/** Messages may be lost where connections are; a look now and then misses none. */
const everyMs = 30_000;
/** Where the database announces nothing: who is banned or deleted is out within two seconds all the same. */
const everyMsUnannounced = 1000;
/** A look that failed is tried again so soon, then after twice as long: what was told meanwhile may be lost. */
const firstPauseMs = 100;

export async function watchEndedSessions(
  context: IdentityContext,
  database: Pick<Database, 'listen'>,
): Promise<() => Promise<void>> {
  const lifetimeMs = (context.settings.tokenLifetime + 60) * 1000;
  let seen = new Date(Date.now() - lifetimeMs).toISOString();
  let closed = false;
  let pauseMs = firstPauseMs;
  let isAnnounced = true;
  let again: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    // A transaction that began earlier may commit later: a minute is looked at twice.
    const rows = await context.query<{ id: string; ended_at: string }>(sql`
      select id, auth.wire_time(ended_at) as ended_at from auth.ended_sessions
      where ended_at > ${seen}::timestamptz - interval '1 minute' order by ended_at`);
    end(rows.map(({ id }) => id));
    seen = rows.at(-1)?.ended_at ?? seen;
  }

  function end(ids: readonly string[]): void {
    if (ids.length > 0) context.sessions.end(ids, Date.now() + lifetimeMs);
  }

  function lookNow(): void {
    clearTimeout(again);
    look().then(
      () => {
        pauseMs = firstPauseMs;
      },
      (error: unknown) => {
        if (closed) return;
        context.log.warn({ err: error }, 'sessions that ended could not be read; trying again');
        clearTimeout(again);
        again = setTimeout(lookNow, pauseMs).unref();
        pauseMs = Math.min(pauseMs * 2, everyMs);
      },
    );
  }
  const stopListening = await database
    .listen(channel, (ids) => (ids === '' ? lookNow() : end(ids.split(','))), lookNow)
    .catch((error: unknown) => {
      context.log.warn({ err: error }, 'ended sessions are not announced by the database; looking every second');
      isAnnounced = false;
      return async () => undefined;
    });
  lookNow();
  const timer = setInterval(lookNow, isAnnounced ? everyMs : everyMsUnannounced);
  timer.unref();
  return async () => {
    closed = true;
    clearInterval(timer);
    clearTimeout(again);
    await stopListening();
  };
}
