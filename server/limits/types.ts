// Types of rate limits: one token bucket per name and key.

export interface Limit {
  /** What is counted, e.g. `lead` or `token`. */
  readonly name: string;
  /** How many in a window. */
  readonly points: number;
  readonly windowSeconds: number;
  /** Each node counts for itself, whatever is shared: for what is asked too often to cost a round trip. */
  readonly perNode?: boolean;
}

export interface LimitResult {
  readonly allowed: boolean;
  readonly retryAfterSeconds: number;
}

export interface Limits {
  /** Takes one point; `retryAfterSeconds` is set when there was none left. */
  take(limit: Limit, key: string): Promise<LimitResult>;
  /** Whether a point would be left, taking none: for what is only counted when it fails. */
  look(limit: Limit, key: string): Promise<LimitResult>;
  /** Gives one back that turned out not to count. */
  give(limit: Limit, key: string): Promise<void>;
}
