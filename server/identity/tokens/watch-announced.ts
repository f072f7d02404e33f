// Announcements of Postgres on a channel, of which a node must miss none: they are read at the start, whenever the connection that listens is new, and
// now and then; a reading that failed is tried again soon.

import type { Database } from '../../database/types.ts';
import type { IdentityContext } from '../identity-context.ts';

interface Announced {
  readonly channel: string;
  /** Reads all that is not known yet. */
  readonly look: () => Promise<void>;
  /** A message; `look` is to be called where it says too little. */
  readonly onMessage: (payload: string, look: () => void) => void;
  /** For the log, where it could not be read. */
  readonly called: string;
}

/** Messages may be lost where connections are; a look now and then misses none. */
const everyMs = 30_000;
/** Where the database announces nothing: who is banned or deleted is out within two seconds all the same. */
const everyMsUnannounced = 1000;
/** A look that failed is tried again so soon, then after twice as long: what was told meanwhile may be lost. */
const firstPauseMs = 100;

export async function watchAnnounced(
  { log }: Pick<IdentityContext, 'log'>,
  database: Pick<Database, 'listen'>,
  { channel, look, onMessage, called }: Announced,
): Promise<() => Promise<void>> {
  let closed = false;
  let pauseMs = firstPauseMs;
  let isAnnounced = true;
  let again: NodeJS.Timeout | undefined;

  function lookNow(): void {
    clearTimeout(again);
    look().then(
      () => {
        pauseMs = firstPauseMs;
      },
      (error: unknown) => {
        if (closed) return;
        log.warn({ err: error }, `${called} could not be read; trying again`);
        clearTimeout(again);
        again = setTimeout(lookNow, pauseMs).unref();
        pauseMs = Math.min(pauseMs * 2, everyMs);
      },
    );
  }
  const stopListening = await database
    .listen(channel, (payload) => onMessage(payload, lookNow), lookNow)
    .catch((error: unknown) => {
      log.warn({ err: error }, `${called} are not announced by the database; looking every second`);
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
