// Context of the data door, which every stage of a request gets: settings, database, caller and catalog.

import type { Caller, Database, Statement } from '../database/types.ts';
import type { Budget } from '../limits/budget.ts';
import type { Sessions } from '../session/types.ts';
import type { Catalog } from './catalog/catalog.ts';
import type { VisibleToRoles } from './catalog/visible.ts';
import type { CatalogWatch } from './catalog/watch-catalog.ts';
import type { LargeAnswers } from './large-answers.ts';
import type { PlanSettings } from './plan/plan-request.ts';
import type { PlanCache } from './plan-cache.ts';
import type { ResponseLimits } from './query/write-lists.ts';
import type { ApiRequest } from './request/api-request.ts';
import type { ReadSettings } from './request/read-request.ts';
import type { RequestScope } from './request-settings.ts';
import type { ApiResponse } from './respond/api-response.ts';

export interface DoorSettings extends ReadSettings, PlanSettings, RequestScope {
  /** Requests without any key are let in as `anon`. */
  readonly anonymous: boolean;
  /** An API key says who asks where no token does. */
  readonly keyAlone: boolean;
  /** Reads go to a replica also when they do not ask for it. */
  readonly replicaForAll: boolean;
  /** Answers carry Server-Timing. */
  readonly serverTiming: boolean;
  readonly limits: ResponseLimits;
  /** Errors carry details and hint. */
  readonly verboseErrors: boolean;
  /** Cells of CSV that look like formulas are made plain text. */
  readonly csvGuard: boolean;
  /** Runs before every request: `select "schema"."function"()`. */
  readonly preRequest: Statement | null;
}

export interface Door {
  readonly settings: DoorSettings;
  readonly database: Database;
  readonly sessions: Pick<Sessions, 'fromHeaders' | 'fromHeadersOrKey' | 'verify' | 'noteUse'>;
  readonly budget: Budget;
  readonly catalog: CatalogWatch;
  readonly visible: VisibleToRoles;
  readonly known: PlanCache;
  readonly large: LargeAnswers;
  /** The document at the root, for what a caller may see. */
  readonly describe: (
    catalog: Catalog,
    caller: Caller,
    request: ApiRequest,
    headersOnly: boolean,
  ) => Promise<ApiResponse>;
}

/** Who asks without a key, where that is allowed. */
export const NOBODY: Caller = { role: 'anon', claims: '{"role":"anon"}' };
