// What goes back: status, headers, bytes. Any transport can send it.

export interface Answer {
  readonly status: number;
  readonly reason?: string;
  /** Names and values in turn. */
  readonly headers: string[];
  /** Null: no body at all, not even an empty one. */
  readonly body: Buffer | null;
}
