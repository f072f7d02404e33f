// Errors of /realtime/v1. Clients know these codes from Supabase's server: a refused join is answered with `{reason: "Code: words"}`, a
// closed channel gets a system message with the words, HTTP gets the status.

import { CatalogError, declareErrors } from '../errors.ts';

export const realtimeErrors = declareErrors({
  TopicNameRequired: {
    status: 400,
    when: 'A channel is joined whose topic is "realtime:" and nothing more.',
    next: 'Give the channel a name.',
  },
  PrivateOnly: {
    status: 403,
    when: 'A public channel is joined, and REALTIME_PRIVATE_ONLY is set.',
    next: 'Join with config.private, and write policies on realtime.messages for the topic.',
  },
  ChannelRateLimitReached: {
    status: 429,
    when: 'A socket joins more channels than REALTIME_MAX_CHANNELS.',
    next: 'Leave channels that are not needed, or use one channel with several bindings.',
  },
  ConnectionRateLimitReached: {
    status: 429,
    when: 'A socket joins a channel, and as many others as REALTIME_MAX_CONNECTIONS have; no more than twice as many sockets are opened at all.',
    next: 'Try again later; the administrator can raise the limit.',
  },
  ClientJoinRateLimitReached: {
    status: 429,
    when: 'A socket asks for more joins in a second than REALTIME_JOINS_PER_SECOND; the socket is closed.',
    next: 'Join more slowly.',
  },
  MessageRateLimitReached: {
    status: 429,
    when: 'A socket, or a caller by HTTP, sends more messages in a second than REALTIME_MESSAGES_PER_SECOND; the channel is closed, the request refused.',
    next: 'Send less often, or several things in one message.',
  },
  ClientPresenceRateLimitReached: {
    status: 429,
    when: 'A channel tracks its presence more often than REALTIME_PRESENCE_PER_30S allows; the channel is closed.',
    next: 'Track what changes rarely; broadcast what changes often.',
  },
  InvalidJWTToken: {
    status: 401,
    when: 'The token of a join has expired, lacks role or exp, or its session has ended.',
    next: 'Renew the session and join again.',
  },
  MalformedJWT: { status: 401, when: 'The token is not a JWT.', next: 'Send the access token as it came.' },
  JwtSignatureError: {
    status: 401,
    when: 'The token was signed with another key.',
    next: 'Sign in at this service.',
  },
  Unauthorized: {
    status: 403,
    when: 'No policy on realtime.messages lets the caller listen to a private topic, or the session has not completed two-factor authentication.',
    next: 'Sign in as someone who may, or write a policy: for select to listen, for insert to send.',
  },
  UnableToReplayMessages: {
    status: 400,
    when: 'Replay is asked for on a public channel, without since, with parameters that are no numbers, or the database does not answer.',
    next: 'Join the channel with config.private; since is in milliseconds, limit is at most 25.',
  },
  RealtimeDisabledForConfiguration: {
    status: 400,
    when: 'A join waits for postgres_changes, and a binding cannot be subscribed: no such table or column, a filter that makes no sense, a table that is not published, or too many bindings, filters that Postgres is asked about, or values.',
    next: 'The message says what is wrong; publish a table with alter publication supabase_realtime add table.',
  },
  PostgresChangesSubscribeTimeout: {
    status: 503,
    when: 'A join waits for postgres_changes, and Postgres cannot be followed in time.',
    next: 'Try again; npx kanbase doctor says what hinders it.',
  },
  UnknownErrorOnChannel: {
    status: 500,
    when: 'Something unforeseen happened; the log says what.',
    next: 'Try again.',
  },
  payload_size_exceeded: {
    status: 413,
    when: 'A broadcast is larger than REALTIME_MAX_PAYLOAD_KB.',
    next: 'Send less, or where to read it.',
  },
  unauthorized: {
    status: 403,
    when: 'No policy lets the caller send to a private topic.',
    next: 'Write a policy on realtime.messages for insert.',
  },
  invalid_persist_ttl: {
    status: 422,
    when: 'A broadcast shall be kept for a time that is no whole number of seconds, or longer than REALTIME_MESSAGES_DAYS.',
    next: 'Say persist: true, or persist: { ttl } in seconds.',
  },
  slow_reader: {
    status: 503,
    when: 'A socket reads more slowly than it is sent to, beyond REALTIME_SEND_BUFFER_KB; it is closed with 1013.',
    next: 'Connect again and read anew; subscribe to less.',
  },
});

type Code = keyof typeof realtimeErrors;

/** An error, in words for the client. */
export class RealtimeError extends CatalogError {
  constructor(code: Code, message: string) {
    super(code, realtimeErrors[code].status, { message });
    this.name = 'RealtimeError';
  }

  /** As the reply to a refused join has it. */
  get reason(): string {
    return `${this.code}: ${this.message}`;
  }
}
