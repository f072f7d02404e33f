// Context of /realtime/v1: the services its parts need, and each other.

import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/types.ts';
import type { Sessions } from '../session/types.ts';
import type { Changes } from './changes/changes.ts';
import type { TopicRights } from './topics/authorize-topic.ts';
import type { MessageStore } from './topics/message-store.ts';
import type { Topics } from './topics/topics.ts';

export interface Realtime {
  readonly settings: Config['realtime'];
  readonly database: Database;
  readonly sessions: Pick<Sessions, 'verify' | 'verifyAgain' | 'fromHeadersOrKey' | 'onEnd' | 'noteUse'>;
  readonly topics: Topics;
  readonly rights: TopicRights;
  readonly messages: MessageStore;
  readonly changes: Changes;
  /** WWW-Authenticate for a request without a good token. */
  readonly challenge: (method: string) => string;
  readonly log: Logger;
}
