// Response as plain data: status, headers and bytes, for any transport.

/** Takes a chunk, which is the caller's again when the promise is kept. */
export type WriteChunk = (chunk: Buffer) => Promise<void>;

/** A body too long to hold: `pump` writes it as it comes from Postgres. */
export interface BodyStream {
  pump(write: WriteChunk): Promise<void>;
  /** Nobody will read it. */
  cancel(): void;
}

export interface ApiResponse {
  readonly status: number;
  readonly reason?: string;
  /** Names and values in turn. */
  readonly headers: string[];
  /** Null: no body at all, not even an empty one. */
  readonly body: Buffer | BodyStream | null;
  /** How long it took could tell whether something of others' is there: it leaves at a fixed time. */
  readonly isTimed?: boolean;
  /** To be called when the system has taken the body: its memory then serves another answer. */
  readonly release?: () => void;
}
