// Guests, told to the sessions of this node: their statements look for tasks shared with them (sql/rules/people/guests.sql),
// those of all others ask for none. Nobody is let in by it, so that a person stays among them until the next start.

import { sql } from '../../database/sql.ts';
import type { Database } from '../../database/types.ts';
import type { IdentityContext } from '../identity-context.ts';
import { watchAnnounced } from './watch-announced.ts';

export function watchGuests(
  context: IdentityContext,
  database: Pick<Database, 'listen'>,
): Promise<() => Promise<void>> {
  return watchAnnounced(context, database, {
    channel: 'kanbase_guests',
    called: 'guests',
    async look() {
      const rows = await context.query<{ id: string }>(sql`select id from auth.guests() id`);
      context.sessions.noteGuests(rows.map(({ id }) => id));
    },
    onMessage: (id) => context.sessions.noteGuests([id]),
  });
}
