// Messages between the server and the thread of its outbox.

import type { Config } from '../../config/config.ts';
import type { Target } from '../../database/wire/target.ts';
import type { DoneStatement } from '../../http/trace-context.ts';

export interface ThreadData {
  readonly target: Target;
  readonly direct: Target;
  readonly config: Config['database'];
  /** Secrets of webhooks are sealed with it. */
  readonly key: Uint8Array;
  readonly allowedNetworks: readonly string[];
  readonly siteUrl: string;
  readonly logLevel: string;
  /** Postgres runs on this machine as this user. */
  readonly isEmbedded: boolean;
}

/** `queue`: makes deliveries of all events that wait, and of those that come soon after. `send`: sends until nothing is due. */
export type Work = 'queue' | 'send';

export type ToThread =
  | { readonly type: 'work'; readonly id: number; readonly work: Work }
  | { readonly type: 'answer'; readonly id: number; readonly status: number; readonly body: string }
  /** Something new is due. */
  | { readonly type: 'wake' }
  /** Claims nothing more. */
  | { readonly type: 'stop' }
  /** What is under way is broken off. */
  | { readonly type: 'cut' }
  | { readonly type: 'end' };

export type FromThread =
  | { readonly type: 'done'; readonly id: number }
  | { readonly type: 'failed'; readonly id: number; readonly error: Error }
  | { readonly type: 'statement'; readonly work: Work; readonly done: DoneStatement; readonly connections: number }
  /** Asks the data door for it, as the service. */
  | { readonly type: 'ask'; readonly id: number; readonly path: string }
  /** A line as the log of the server writes it. */
  | { readonly type: 'log'; readonly line: string };
