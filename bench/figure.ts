// Measured figures: how many a second and how long one took in milliseconds, or a line of a page with words.

export interface Figure {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** What one request cost the server process in CPU time. */
  readonly serverMicros?: number;
}

/** Beside what is wanted of it. */
export interface MeasuredLine {
  readonly what: string;
  readonly measured: string;
  readonly wanted: string;
}
