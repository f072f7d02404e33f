// How often someone may knock: one token bucket per name and key.

export interface Limit {
  /** What is counted, e.g. `lead` or `token`. */
  readonly name: string;
  /** How many in a window. */
  readonly points: number;
  readonly windowSeconds: number;
}

export interface Limits {
  /** Takes one point; `retryAfterSeconds` is set when there was none left. */
  take(limit: Limit, key: string): Promise<{ allowed: boolean; retryAfterSeconds: number }>;
}
