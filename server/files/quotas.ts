// Quotas of bytes, as the settings say.

import type { Config } from '../config/config.ts';

export interface Quotas {
  /** 0: none. */
  readonly totalBytes: number;
  /** Of the bucket attachments, for each project; 0: none. */
  readonly projectBytes: number;
  /** Of an upload whose length is not known yet. */
  readonly unknownBytes: number;
}

export function quotasOf({ quotaBytes, projectQuotaBytes, sizeLimit }: Config['files']): Quotas {
  return { totalBytes: quotaBytes, projectBytes: projectQuotaBytes, unknownBytes: sizeLimit };
}
