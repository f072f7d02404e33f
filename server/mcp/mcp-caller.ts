// Caller of one request at /mcp, with what the request may hold.

import type { Asking } from './board.ts';
import type { Following } from './follow-changes.ts';
import type { ServedBoard } from './offer.ts';
import type { McpSessions } from './sessions/open-sessions.ts';

export interface McpCaller extends Omit<Asking, 'work'> {
  readonly server: Following['server'];
  readonly sessions: McpSessions;
  /** Takes a place among the open streams of the person; null: there is none. */
  readonly openStream: () => (() => void) | null;
  readonly onFailure: ServedBoard['onFailure'];
}
