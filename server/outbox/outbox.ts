// The seam of the outbox: a consumer reads events in the database (private.read_events) and writes what it makes of them in the transaction that moves
// its cursor (private.advance_events), so that each event happens to it once, whatever dies in between. A further consumer is a file beside
// webhooks/queue-deliveries.ts, a row of private.event_consumers and a job in start-outbox.ts.

import type { Logger } from 'pino';
import type { Database } from '../database/types.ts';

export interface ConsumerMeans {
  readonly database: Pick<Database, 'objectsAs'>;
  /** The public address of the service, no trailing slash. */
  readonly siteUrl: string;
  readonly log: Pick<Logger, 'info'>;
  /** Reads from the data door, as the service. */
  readonly ask: (path: string) => Promise<{ readonly status: number; readonly body: string }>;
}

export interface Consumer {
  /** In private.event_consumers. */
  readonly name: string;
  /** Handles the next events; true if there may be more. */
  consume(means: ConsumerMeans): Promise<boolean>;
}
