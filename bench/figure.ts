// One measured figure: how many a second, and how long one took in milliseconds.

export interface Figure {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** What one request cost the server process in CPU time. */
  readonly serverMicros?: number;
}
