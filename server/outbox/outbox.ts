// The seam of the outbox: a consumer reads events in the database (private.read_events) and writes what it makes of them in the transaction that moves
// its cursor (private.advance_events), so that each event happens to it once, whatever dies in between. A further consumer is a file beside
// webhooks/queue-deliveries.ts, a row of private.event_consumers and a name in `consumers` of start-outbox.ts.

import type { Services } from '../services.ts';

export interface Consumer {
  /** Of its job. */
  readonly name: string;
  /** Handles the next events; true if there may be more. */
  consume(services: Services): Promise<boolean>;
}
