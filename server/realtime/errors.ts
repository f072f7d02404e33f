// Errors of /realtime/v1. Clients know these codes from Supabase's server: a refused join is answered with `{reason: "Code: words"}`, a
// closed channel gets a system message with the words, HTTP gets the status.

import { CatalogError, declareErrors } from '../errors.ts';

export const realtimeErrors = declareErrors({
  TopicNameRequired: {
    status: 400,
    when: 'The topic is "realtime:" and nothing more.',
    next: 'Name it.',
  },
  PrivateOnly: {
    status: 403,
    when: 'A public channel under REALTIME_PRIVATE_ONLY.',
    next: 'Join with config.private; write policies on realtime.messages.',
  },
  ChannelRateLimitReached: {
    status: 429,
    when: 'A socket joins more channels than REALTIME_MAX_CHANNELS.',
    next: 'Leave some, or put several bindings in one channel.',
  },
  ConnectionRateLimitReached: {
    status: 429,
    when: 'REALTIME_MAX_CONNECTIONS sockets have channels; at most twice as many are opened.',
    next: 'Try again later, or have the limit raised.',
  },
  ClientJoinRateLimitReached: {
    status: 429,
    when: 'More joins a second than REALTIME_JOINS_PER_SECOND; the socket is closed.',
    next: 'Join more slowly.',
  },
  MessageRateLimitReached: {
    status: 429,
    when: 'A socket or HTTP caller exceeds REALTIME_MESSAGES_PER_SECOND; the channel is closed, the request refused.',
    next: 'Send less often, or several things in one.',
  },
  ClientPresenceRateLimitReached: {
    status: 429,
    when: 'A channel tracks presence beyond REALTIME_PRESENCE_PER_30S; it is closed.',
    next: 'Track rarely; broadcast what changes often.',
  },
  InvalidJWTToken: {
    status: 401,
    when: 'The token has expired, lacks role or exp, or its session has ended.',
    next: 'Renew the session and join again.',
  },
  MalformedJWT: { status: 401, when: 'The token is none.', next: 'Send the access token as it came.' },
  JwtSignatureError: {
    status: 401,
    when: 'Someone else signed the token.',
    next: 'Sign in here.',
  },
  Unauthorized: {
    status: 403,
    when: 'No policy on realtime.messages lets the caller listen to a private topic, or the session has not completed two-factor authentication.',
    next: 'Sign in as someone who may, or write policies: select to listen, insert to send.',
  },
  UnableToReplayMessages: {
    status: 400,
    when: 'Replay on a public channel, without since, with parameters that are no numbers, or the database is silent.',
    next: 'Join with config.private; since in milliseconds, limit at most 25.',
  },
  RealtimeDisabledForConfiguration: {
    status: 400,
    when: 'A postgres_changes binding has an unknown or unpublished table, an unknown column or a filter without sense, or there are too many bindings, values or filters that Postgres is asked about.',
    next: 'The message says which; publish with alter publication supabase_realtime add table.',
  },
  PostgresChangesSubscribeTimeout: {
    status: 503,
    when: 'A join for postgres_changes, but Postgres can’t be followed in time.',
    next: 'Try again; npx kanbase doctor says why.',
  },
  UnknownErrorOnChannel: {
    status: 500,
    when: 'Unforeseen; the log says what.',
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
    next: 'Write one on realtime.messages for insert.',
  },
  invalid_persist_ttl: {
    status: 422,
    when: 'A broadcast’s ttl is no whole number of seconds, or beyond REALTIME_MESSAGES_DAYS.',
    next: 'Send persist: true or persist: { ttl }.',
  },
  slow_reader: {
    status: 503,
    when: 'A socket reads too slowly, beyond REALTIME_SEND_BUFFER_KB; closed with 1013.',
    next: 'Reconnect, read anew, subscribe to less.',
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
