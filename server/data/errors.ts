// The errors of the data door, with PostgREST's codes: clients switch on them. Postgres' own errors keep their
// SQLSTATE as code; `respond/errors.ts` gives them a status.

import { CatalogError, declareErrors, type ErrorWords } from '../errors.ts';

export const dataErrors = declareErrors({
  PGRST000: {
    status: 503,
    when: 'The database cannot be reached.',
    next: 'Try again after the seconds in Retry-After. If it lasts, look at /ready and the server log.',
  },
  PGRST001: {
    status: 503,
    when: 'The database went away while it was answering.',
    next: 'Try again in a moment. A write may or may not have taken effect: look before repeating it.',
  },
  PGRST002: {
    status: 503,
    when: 'The structure of the database has not been read yet.',
    next: 'Try again in a moment; the service is starting.',
  },
  PGRST003: {
    status: 504,
    when: 'This request waited too long for a connection to the database.',
    next: 'Try again in a moment; raise DB_POOL_SIZE when that happens often.',
  },
  PGRST100: {
    status: 400,
    when: 'A query parameter cannot be read.',
    next: 'Correct the parameter at the place the message names.',
  },
  PGRST101: {
    status: 405,
    when: 'A procedure was called with a method other than GET, HEAD or POST.',
    next: 'Call it with POST.',
  },
  PGRST102: {
    status: 400,
    when: 'The body is missing, not valid, or its objects differ in their keys.',
    next: 'Send valid JSON (or name the columns with `columns=`) and the matching Content-Type.',
  },
  PGRST103: {
    status: 416,
    when: 'The requested range lies outside the rows.',
    next: 'Ask for an offset within the count.',
  },
  PGRST105: {
    status: 405,
    when: 'PUT without filters on exactly the primary key.',
    next: 'Filter with `eq` on every primary key column and nothing else.',
  },
  PGRST106: { status: 406, when: 'The schema asked for is not exposed.', next: 'Use one of the schemas in the hint.' },
  PGRST107: {
    status: 406,
    when: 'None of the accepted media types can be made.',
    next: 'Accept application/json, or a type the resource has a handler for.',
  },
  PGRST108: {
    status: 400,
    when: 'A filter, order or limit names a resource that is not embedded.',
    next: 'Embed it in `select` first.',
  },
  PGRST111: {
    status: 500,
    when: 'SQL set response.headers to something that is not a list of headers.',
    next: 'Set a JSON array of objects with one key each.',
  },
  PGRST112: {
    status: 500,
    when: 'SQL set response.status to something that is no status.',
    next: 'Set a status code.',
  },
  PGRST114: { status: 400, when: 'PUT with limit or offset.', next: 'Leave them out.' },
  PGRST115: {
    status: 400,
    when: 'PUT whose body differs from the URL in the primary key.',
    next: 'Send the same key in both.',
  },
  PGRST116: {
    status: 406,
    when: 'One object was asked for and the result is not exactly one row.',
    next: 'Narrow the filters, or ask for a list.',
  },
  PGRST117: {
    status: 405,
    when: 'The method is not supported.',
    next: 'Use one of the methods in Allow (OPTIONS tells).',
  },
  PGRST118: {
    status: 400,
    when: 'Ordering by an embedded resource that may hold many rows.',
    next: 'Order by a to-one resource, or order inside the embedded one.',
  },
  PGRST120: {
    status: 400,
    when: 'A filter on an embedded resource other than `is.null` or `not.is.null`.',
    next: 'Filter inside the embedded resource: `resource.column=…`.',
  },
  PGRST121: {
    status: 500,
    when: 'SQL raised PGRST with JSON that cannot be read.',
    next: 'Follow the hint in the function.',
  },
  PGRST122: {
    status: 400,
    when: 'Unknown preferences with handling=strict.',
    next: 'Leave out what the details list.',
  },
  PGRST123: { status: 400, when: 'Aggregates are turned off.', next: 'Set DATA_AGGREGATES to true.' },
  PGRST124: {
    status: 400,
    when: 'More rows would change than max-affected allows.',
    next: 'Narrow the filters, or raise the limit. Nothing was changed.',
  },
  PGRST125: { status: 404, when: 'The path is not one of the door.', next: 'Use /<table> or /rpc/<function>.' },
  PGRST126: { status: 404, when: 'The description at the root is turned off.', next: 'Turn it on in the settings.' },
  PGRST127: { status: 400, when: 'The feature is not implemented.', next: 'See the details for what is not possible.' },
  PGRST128: {
    status: 400,
    when: 'max-affected with handling=strict on a function that returns one row.',
    next: 'Leave it out, or let the function return a set.',
  },
  PGRST200: {
    status: 400,
    when: 'No relationship between two resources.',
    next: 'Add a foreign key, or correct the name or the hint in `select`.',
  },
  PGRST201: {
    status: 300,
    when: 'More than one relationship between two resources.',
    next: 'Choose one with a hint: `resource!constraint(…)`.',
  },
  PGRST202: {
    status: 404,
    when: 'No such function with these arguments.',
    next: 'Compare the argument names with the function.',
  },
  PGRST203: {
    status: 300,
    when: 'Several overloads of a function fit.',
    next: 'Rename arguments or functions in the database so that one fits.',
  },
  PGRST204: { status: 400, when: 'The body or `columns` names a column that is not there.', next: 'Correct the name.' },
  PGRST205: { status: 404, when: 'No such table or view in the schema.', next: 'Correct the name or the schema.' },
  KBD04: {
    status: 400,
    when: 'The answer, or what Postgres makes on the way to it, would be larger than DATA_MAX_BYTES.',
    next: 'Select fewer columns, narrow the filters, set a limit on what is embedded, or raise DATA_MAX_BYTES.',
  },
  KBD05: {
    status: 400,
    when: 'The embedded lists of an answer hold more rows together than DATA_MAX_EMBEDDED_ROWS.',
    next: 'Narrow the filters, set a limit on what is embedded, or raise DATA_MAX_EMBEDDED_ROWS.',
  },
  KBD06: {
    status: 400,
    when: 'Resources are embedded deeper than DATA_MAX_EMBED_DEPTH, or more of them than DATA_MAX_EMBEDS.',
    next: 'Ask in several requests, or raise the setting.',
  },
  KBD07: {
    status: 503,
    when: 'Too many requests wait for the database already: this one was turned away at once, and nothing of it was done.',
    next: 'Try again after the seconds in Retry-After; raise DB_POOL_SIZE when the queue is always full.',
  },
  KBD08: {
    status: 429,
    when: 'Long answers that this caller asked for and has not read hold more than 256 MB, or those of all callers 2 GB.',
    next: 'Read the answers you asked for, or close their connections, and try again after the seconds in Retry-After.',
  },
  PGRST301: {
    status: 401,
    when: 'The token cannot be read or verified.',
    next: 'Sign in again, or send the right key.',
  },
  PGRST302: { status: 401, when: 'No key or token was sent.', next: 'Send both the apikey and Authorization headers.' },
  PGRST303: { status: 401, when: 'The claims of the token are not good: expired, say.', next: 'Refresh the session.' },
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
