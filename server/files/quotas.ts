// How many bytes files may have together, as the settings say.

export interface Quotas {
  /** 0: none. */
  readonly totalBytes: number;
  /** Of the bucket attachments, for each project; 0: none. */
  readonly projectBytes: number;
}
