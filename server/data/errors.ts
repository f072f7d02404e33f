// The errors of the data door, with PostgREST's codes: clients switch on them. Postgres' own errors keep their
// SQLSTATE as code; `respond/errors.ts` gives them a status.

import { CatalogError, declareErrors, type ErrorWords } from '../errors.ts';

export const dataErrors = declareErrors({
  PGRST000: {
    status: 503,
    when: 'The database is unreachable.',
    next: 'Retry after Retry-After. If it lasts: /ready and the log.',
  },
  PGRST001: {
    status: 503,
    when: 'The database went away during the request.',
    next: 'Try again; a write may have taken effect: look first.',
  },
  PGRST002: {
    status: 503,
    when: 'The schema hasn’t been read yet.',
    next: 'Try again in a moment.',
  },
  PGRST003: {
    status: 504,
    when: 'Waited too long for a database connection.',
    next: 'Try again. If often: raise DB_POOL_SIZE.',
  },
  PGRST100: {
    status: 400,
    when: 'A query parameter can’t be read.',
    next: 'Correct it where the message says.',
  },
  PGRST101: {
    status: 405,
    when: 'A procedure called other than by GET, HEAD or POST.',
    next: 'Use POST.',
  },
  PGRST102: {
    status: 400,
    when: 'The body is missing, invalid, or its objects differ in keys.',
    next: 'Send valid JSON (or name `columns=`) and its Content-Type.',
  },
  PGRST103: {
    status: 416,
    when: 'The range lies outside the rows.',
    next: 'Ask for an offset within the count.',
  },
  PGRST105: {
    status: 405,
    when: 'PUT without filters on exactly the primary key.',
    next: 'Filter with `eq` on each key column alone.',
  },
  PGRST106: { status: 406, when: 'The schema is not exposed.', next: 'Use one that the hint names.' },
  PGRST107: {
    status: 406,
    when: 'No accepted media type can be made.',
    next: 'Accept application/json, or a type with a handler.',
  },
  PGRST108: {
    status: 400,
    when: 'A filter, order or limit names a resource that isn’t embedded.',
    next: 'Embed it in `select` first.',
  },
  PGRST111: {
    status: 500,
    when: 'SQL set response.headers to no list of headers.',
    next: 'Set a JSON array of one-key objects.',
  },
  PGRST112: {
    status: 500,
    when: 'SQL set response.status to no status.',
    next: 'Set a status code.',
  },
  PGRST114: { status: 400, when: 'PUT with limit or offset.', next: 'Leave them out.' },
  PGRST115: {
    status: 400,
    when: 'PUT with different primary keys in body and URL.',
    next: 'Send the same.',
  },
  PGRST116: {
    status: 406,
    when: 'One object asked for; not exactly one row.',
    next: 'Narrow the filters, or ask for a list.',
  },
  PGRST117: {
    status: 405,
    when: 'The method is not supported.',
    next: 'Use one that Allow names.',
  },
  PGRST118: {
    status: 400,
    when: 'Order by an embedded resource of many rows.',
    next: 'Order by a to-one resource, or inside the embedded one.',
  },
  PGRST120: {
    status: 400,
    when: 'A filter on an embedded resource other than `is.null`, `not.is.null`.',
    next: 'Filter inside it: `resource.column=…`.',
  },
  PGRST121: {
    status: 500,
    when: 'SQL raised PGRST with unreadable JSON.',
    next: 'Follow the hint.',
  },
  PGRST122: {
    status: 400,
    when: 'Unknown preferences with handling=strict.',
    next: 'Leave out what the details list.',
  },
  PGRST123: { status: 400, when: 'Aggregates are off.', next: 'Set DATA_AGGREGATES.' },
  PGRST124: {
    status: 400,
    when: 'More rows would change than max-affected allows; none did.',
    next: 'Filter, or raise the limit.',
  },
  PGRST125: { status: 404, when: 'No path of this API.', next: 'Use /<table> or /rpc/<function>.' },
  PGRST126: { status: 404, when: 'The root document is off.', next: 'Turn it on in the settings.' },
  PGRST127: { status: 400, when: 'Not implemented.', next: 'The details say what.' },
  PGRST128: {
    status: 400,
    when: 'max-affected with handling=strict on a function of one row.',
    next: 'Leave it out, or return a set.',
  },
  PGRST200: {
    status: 400,
    when: 'No relationship between two resources.',
    next: 'Add a foreign key, or correct name or hint in `select`.',
  },
  PGRST201: {
    status: 300,
    when: 'Several relationships between two resources.',
    next: 'Choose by hint: `resource!constraint(…)`.',
  },
  PGRST202: {
    status: 404,
    when: 'No such function with these arguments.',
    next: 'Compare argument names.',
  },
  PGRST203: {
    status: 300,
    when: 'Several overloads fit.',
    next: 'Rename arguments or functions.',
  },
  PGRST204: { status: 400, when: 'The body or `columns` names a missing column.', next: 'Correct the name.' },
  PGRST205: { status: 404, when: 'No such table or view in the schema.', next: 'Correct name or schema.' },
  KBD04: {
    status: 400,
    when: 'The response, or what Postgres builds for it, exceeds DATA_MAX_BYTES.',
    next: 'Select less, filter, limit embedded lists, or raise it.',
  },
  KBD05: {
    status: 400,
    when: 'The embedded lists exceed DATA_MAX_EMBEDDED_ROWS together.',
    next: 'Filter, limit embedded lists, or raise it.',
  },
  KBD06: {
    status: 400,
    when: 'Embedding deeper than DATA_MAX_EMBED_DEPTH, or more often than DATA_MAX_EMBEDS.',
    next: 'Split the request, or raise it.',
  },
  KBD07: {
    status: 503,
    when: 'Too many requests wait for the database; this one was turned away, nothing of it done.',
    next: 'Retry after Retry-After. Queue always full: raise DB_POOL_SIZE.',
  },
  KBD08: {
    status: 429,
    when: 'This caller’s unread responses exceed 256 MB, or those of all callers 2 GB.',
    next: 'Read or close them, then retry after Retry-After.',
  },
  PGRST301: {
    status: 401,
    when: 'The token can’t be read or verified.',
    next: 'Sign in again, or send the right key.',
  },
  PGRST302: { status: 401, when: 'No key or token.', next: 'Send apikey and Authorization.' },
  PGRST303: { status: 401, when: 'Bad claims: expired, say.', next: 'Refresh the session.' },
});

export type DataErrorCode = keyof typeof dataErrors;

/** Details may be more than text: PGRST201 lists relationships. */
export class DataError extends CatalogError {
  constructor(
    override readonly code: DataErrorCode,
    words: ErrorWords,
    readonly structuredDetails: unknown = undefined,
  ) {
    super(code, dataErrors[code].status, words);
  }
}
