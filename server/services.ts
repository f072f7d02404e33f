// Services of the process, for the rooms that are mounted: `open-services.ts` makes them once, `app.ts` hands them to every door.

import type { Logger } from 'pino';
import type { Jobs } from './background/open-jobs.ts';
import type { Config } from './config/config.ts';
import type { SettingRow } from './config/list-settings.ts';
import type { Database } from './database/types.ts';
import type { Finding } from './doctor/finding.ts';
import type { GatherMetrics } from './http/gather-metrics.ts';
import type { Metrics } from './http/metrics.ts';
import type { TraceRequest, TraceWork } from './http/trace-context.ts';
import type { Budget } from './limits/budget.ts';
import type { Limits } from './limits/types.ts';
import type { UntrustedProxies } from './limits/untrusted-proxies.ts';
import type { Sessions } from './session/types.ts';
import type { StoredSettings } from './stored-settings.ts';

export interface Services {
  readonly config: Config;
  readonly database: Database;
  readonly sessions: Sessions;
  readonly limits: Limits;
  readonly proxies: UntrustedProxies;
  /** What the work of each person may cost. */
  readonly budget: Budget;
  readonly metrics: Metrics;
  readonly jobs: Jobs;
  /** Where several processes serve, /metrics tells of all of them. */
  readonly gatherMetrics: GatherMetrics;
  /** Records spans of requests; null where no collector is set. */
  readonly trace: TraceRequest | null;
  /** Records spans of work that a thread does; null where no collector is set. */
  readonly traceWork: TraceWork | null;
  readonly log: Logger;
  /** The public address of the service, no trailing slash. */
  readonly siteUrl: string;
  /** Migrations that this database lacks or that it has and we do not know; looked up at most every ten seconds. */
  readonly unsettledMigrations: () => Promise<readonly string[]>;
  /** Every setting as it is, and where that came from; secrets are masked. */
  readonly listSettings: () => readonly SettingRow[];
  /** Those that operators may change while the server runs; `config` has them as they are now. */
  readonly storedSettings: StoredSettings;
  /** What `kanbase doctor` would find; looked up at most every ten seconds. */
  readonly examine: () => Promise<readonly Finding[]>;
  /** Calls one of our own public doors in process, for rooms that are clients of another room. */
  readonly fetch: typeof fetch;
}
