// The one kind of error a room may throw on purpose: a catalog code, an HTTP status and words for a person.
// Rooms declare their codes in their own `errors.ts` with `declareErrors`; `docs/errors.md` is held to the sum of them.
// How an error looks on the wire is the business of each door's dialect, at the edge.

/** What a code stands for, for the reader of docs/errors.md. */
export interface CatalogEntry {
  readonly status: number;
  /** When a caller meets it. */
  readonly when: string;
  /** What the caller can do about it. */
  readonly next: string;
}

export type Catalog = Readonly<Record<string, CatalogEntry>>;

/** Keeps the literal codes, so that a room can only throw what it declared. */
export function declareErrors<const C extends Catalog>(catalog: C): C {
  return catalog;
}

export interface ErrorWords {
  readonly message: string;
  readonly details?: string | null;
  readonly hint?: string | null;
  /** Response headers the error asks for, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

export class CatalogError extends Error {
  readonly details: string | null;
  readonly hint: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: string,
    readonly status: number,
    words: ErrorWords,
  ) {
    super(words.message, { cause: words.cause });
    this.name = 'CatalogError';
    this.details = words.details ?? null;
    this.hint = words.hint ?? null;
    this.headers = words.headers ?? {};
  }
}

export interface MoreWords extends Omit<ErrorWords, 'message'> {
  /** Where it differs from that of the code. */
  readonly status?: number | undefined;
}

/** Makes the errors of a catalog. `hints`: what to do next, as the catalog says it, goes along. */
export function errorsOf<C extends Catalog>(catalog: C, { hints = false }: { readonly hints?: boolean } = {}) {
  return (code: keyof C & string, message: string, { status, ...words }: MoreWords = {}): CatalogError => {
    const entry = catalog[code] as CatalogEntry;
    return new CatalogError(code, status ?? entry.status, {
      ...(hints ? { hint: entry.next } : {}),
      ...words,
      message,
    });
  };
}
