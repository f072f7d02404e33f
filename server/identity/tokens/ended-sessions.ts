// Refuses tokens of ended sessions at every door at once, not when they expire: after a sign-out, ban, deletion or change of password
// Postgres notes the sessions that end (sql/rules/accounts/sessions.sql) and notifies the nodes, and each node refuses their tokens without
// asking the database again. The identity door asks it anyway, for the exact error.

import { sql } from '../../database/sql.ts';
import type { Database } from '../../database/types.ts';
import type { IdentityContext } from '../identity-context.ts';
import { watchAnnounced } from './watch-announced.ts';

export function watchEndedSessions(
  context: IdentityContext,
  database: Pick<Database, 'listen'>,
): Promise<() => Promise<void>> {
  const lifetimeMs = (context.settings.tokenLifetime + 60) * 1000;
  let seen = new Date(Date.now() - lifetimeMs).toISOString();

  function end(ids: readonly string[]): void {
    if (ids.length > 0) context.sessions.end(ids, Date.now() + lifetimeMs);
  }
  return watchAnnounced(context, database, {
    channel: 'kanbase_ended_sessions',
    called: 'sessions that ended',
    async look() {
      // A transaction that began earlier may commit later: a minute is looked at twice.
      const rows = await context.query<{ id: string; ended_at: string }>(sql`
        select id, auth.wire_time(ended_at) as ended_at from auth.ended_sessions
        where ended_at > ${seen}::timestamptz - interval '1 minute' order by ended_at`);
      end(rows.map(({ id }) => id));
      seen = rows.at(-1)?.ended_at ?? seen;
    },
    onMessage: (ids, look) => (ids === '' ? look() : end(ids.split(','))),
  });
}
