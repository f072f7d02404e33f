// One joined channel of a socket: its subscriptions, its incoming messages, and its end. Joining is in join-channel.ts.

import type { Caller } from '../../database/types.ts';
import type { Session } from '../../session/types.ts';
import type { Subscriber } from '../changes/delivery/subscriptions.ts';
import { RealtimeError } from '../errors.ts';
import type { Realtime } from '../realtime.ts';
import type { Frame } from '../sockets/frame.ts';
import { BinaryPush, JsonPayload, type Sent, type Version } from '../sockets/messages.ts';
import { Rate } from '../sockets/rate.ts';
import type { Rights } from '../topics/authorize-topic.ts';
import { asWho, isOfTheApp } from '../topics/named-presence.ts';
import { persistSeconds } from '../topics/persist-option.ts';
import { type Member, topicKey } from '../topics/topics.ts';
import { isRecord, type JoinConfig } from './join-config.ts';
import { expiredWords, readAgain, readToken } from './read-token.ts';

/** The socket, as far as a channel needs it. */
export interface Line {
  readonly version: Version;
  send(frame: Frame): void;
  push(channel: Pick<Channel, 'topic' | 'joinRef'>, event: string, payload: unknown, ref?: string | null): void;
  forget(channel: Channel): void;
}

/** What a message is answered with; null: not at all. */
export type Reply = { readonly status: 'ok' | 'error'; readonly response: unknown } | null;

const ok: Reply = { status: 'ok', response: {} };
const presenceWindowMs = 30_000;
let channels = 0;

export class Channel implements Member, Subscriber {
  readonly id = `c${++channels}`;
  readonly topic: string;
  /** Without the prefix: what people call the topic. */
  readonly name: string;
  readonly joinRef: string | null;
  readonly config: JoinConfig;
  readonly #realtime: Realtime;
  readonly #line: Line;
  readonly #presenceRate: Rate;
  #session: Session;
  #listens: Rights | null;
  #speaks: Promise<Rights> | null = null;
  /** As it was sent, and as the others were told of it. */
  #tracked: { readonly payload: Readonly<Record<string, unknown>>; readonly text: string } | null = null;
  #presence: boolean;
  #closed = false;
  callerKey: string;
  replayed: ReadonlySet<string> = new Set();

  constructor(
    realtime: Realtime,
    line: Line,
    options: { topic: string; joinRef: string | null; config: JoinConfig; session: Session; listens: Rights | null },
  ) {
    this.#realtime = realtime;
    this.#line = line;
    this.topic = options.topic;
    this.name = options.topic.slice('realtime:'.length);
    this.joinRef = options.joinRef;
    this.config = options.config;
    this.#session = options.session;
    this.#listens = options.listens;
    this.#presence = options.config.presenceEnabled;
    this.#presenceRate = new Rate(realtime.settings.presencePerWindow, presenceWindowMs);
    this.callerKey = callerKeyOf(options.session);
  }

  get caller(): Caller {
    return this.#session.caller;
  }

  get version(): Version {
    return this.#line.version;
  }

  get hearsBroadcasts(): boolean {
    return this.#listens === null || this.#listens.broadcast;
  }

  get hearsPresence(): boolean {
    return this.#presence && (this.#listens === null || this.#listens.presence);
  }

  get socket(): object {
    return this.#line;
  }

  get person(): string | undefined {
    return this.#session.claims.sub;
  }

  /** Of the session or the key. */
  get sessionId(): string | undefined {
    const { session_id, key_id } = this.#session.claims;
    return key_id ?? session_id;
  }

  get key(): string {
    return topicKey(this.name, this.config.isPrivate);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  send(frame: Frame): void {
    if (!this.#closed) this.#line.send(frame);
  }

  push(event: string, payload: unknown): void {
    if (!this.#closed) this.#line.push(this, event, payload);
  }

  system(extension: 'system' | 'postgres_changes', status: 'ok' | 'error', message: string): void {
    this.push('system', { extension, status, message, channel: this.name });
  }

  /** Who is there, for one who has just come. */
  sendPresenceState(): void {
    if (this.hearsPresence) this.push('presence_state', this.#realtime.topics.presenceState(this.key));
  }

  /** Says why, and closes. */
  shutDown(reason: string | RealtimeError): void {
    if (reason instanceof RealtimeError) {
      this.#realtime.log.debug({ topic: this.topic, reason: reason.reason }, 'a channel is closed');
      this.shutDown(reason.message);
      return;
    }
    this.system('system', 'error', reason);
    this.close();
  }

  close(): void {
    if (this.#closed) return;
    this.#line.push(this, 'phx_close', {}, this.joinRef);
    this.end();
  }

  /** Without a word: the socket is gone, or knows. */
  end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#realtime.changes.unsubscribe(this);
    this.#realtime.topics.leave(this.key, this);
    this.#line.forget(this);
  }

  /** Called every second or so. */
  checkExpiry(nowSeconds: number): void {
    const { exp, key_id } = this.#session.claims;
    if ((this.#session.token !== null || key_id !== undefined) && exp !== undefined && exp <= nowSeconds)
      this.shutDown(expiredWords(exp));
  }

  async receive(event: string, payload: unknown): Promise<Reply> {
    switch (event) {
      case 'broadcast':
        return this.#broadcast(payload);
      case 'presence':
        return this.#trackPresence(payload);
      case 'access_token':
        await this.#renew(payload);
        return null;
      default:
        return null;
    }
  }

  async #broadcast(payload: unknown): Promise<Reply> {
    const { ack, self, isPrivate } = this.config;
    const sent: Sent =
      payload instanceof BinaryPush
        ? { ...payload.broadcast, meta: null }
        : payload instanceof JsonPayload
          ? payload.text
          : JSON.stringify(payload);
    const size = typeof sent === 'string' ? Buffer.byteLength(sent) : sent.payload.length;
    const answer = (code: string | null, response: unknown = {}): Reply => {
      if (!ack) return null;
      return code === null ? { status: 'ok', response } : { status: 'error', response: { error: code } };
    };
    const { messages } = this.#realtime;
    const option = isPrivate && payload instanceof BinaryPush ? payload.broadcast.meta?.persist : null;
    const seconds = persistSeconds(option, messages.longestSeconds);
    if (seconds === undefined) return answer('invalid_persist_ttl');
    const rights = isPrivate ? await this.#rightsToSpeak() : null;
    if (rights !== null && !rights.broadcast) return answer('unauthorized');
    if (size > this.#realtime.settings.maxPayloadKb * 1024) return answer('payload_size_exceeded');
    this.#realtime.topics.broadcast(this.key, sent, self ? null : this);
    if (seconds === null || !rights?.persistence || !(payload instanceof BinaryPush)) return answer(null);
    return answer(null, { id: await messages.keep(this.caller, this.name, payload.broadcast, seconds) });
  }

  async #trackPresence(payload: unknown): Promise<Reply> {
    if (!isRecord(payload) || typeof payload.event !== 'string') return ok;
    if (!this.#presenceRate.take()) {
      this.shutDown(new RealtimeError('ClientPresenceRateLimitReached', 'Client presence rate limit exceeded'));
      return null;
    }
    const event = payload.event.toLowerCase();
    if (event === 'untrack') {
      this.#tracked = null;
      this.#realtime.topics.untrack(this.key, this.id);
      return ok;
    }
    if (event !== 'track') return { status: 'error', response: {} };
    if (this.config.isPrivate && !(await this.#rightsToSpeak()).presence) return { status: 'error', response: {} };
    const tracked = payload.payload ?? {};
    if (!isRecord(tracked)) return { status: 'error', response: { reason: 'Presence track payload must be a map' } };
    const text = JSON.stringify(tracked);
    if (Buffer.byteLength(text) > this.#realtime.settings.maxPayloadKb * 1024) {
      this.shutDown('Track message size exceeded');
      return null;
    }
    if (!this.#closed) this.#present(tracked);
    return ok;
  }

  /** Tells the others, when they do not know it yet. */
  #present(payload: Readonly<Record<string, unknown>>): void {
    const isNamed = this.config.isPrivate && isOfTheApp(this.name);
    const presence = isNamed ? asWho(payload, this.#session.claims.sub) : payload;
    const text = JSON.stringify(presence);
    if (text === this.#tracked?.text) return;
    const began = !this.#presence;
    this.#presence = true;
    this.#tracked = { payload, text };
    if (began) this.sendPresenceState();
    this.#realtime.topics.track(this.key, this.id, this.config.presenceKey, presence);
  }

  #rightsToSpeak(): Promise<Rights> {
    if (this.#speaks !== null) return this.#speaks;
    const asked = this.#realtime.rights.speak(this.caller, this.name);
    this.#speaks = asked;
    asked.catch(() => {
      if (this.#speaks === asked) this.#speaks = null;
    });
    return asked;
  }

  /** Another token for the same channel: what it may do is looked at anew, and nothing is lost in between. */
  async #renew(payload: unknown): Promise<void> {
    const token = isRecord(payload) ? payload.access_token : null;
    if (typeof token !== 'string' || token.startsWith('sb_') || token === this.#session.token) return;
    const { revision } = this.#realtime.rights;
    try {
      const session = await readToken(this.#realtime.sessions, token);
      const before = this.#listens;
      const now = this.config.isPrivate ? await this.#realtime.rights.listen(session.caller, this.name) : null;
      if (this.#closed) return;
      if (
        before !== null &&
        now !== null &&
        ((before.broadcast && !now.broadcast) || (before.presence && !now.presence))
      ) {
        const words = now.broadcast || now.presence ? 'no longer have permission' : 'do not have permissions';
        this.shutDown(`You ${words} to read from this Channel topic: ${this.name}`);
        return;
      }
      this.#session = session;
      this.#listens = now;
      this.#speaks = null;
      this.callerKey = callerKeyOf(session);
      // Another person's token: they are there now.
      if (this.#tracked !== null) this.#present(this.#tracked.payload);
      // Bindings are looked at with the rights of the new token, and it is said that they stand.
      if (this.config.changes.length > 0) void this.#realtime.changes.subscribe(this, this.config);
      if (revision !== this.#realtime.rights.revision) await this.checkAgain();
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #giveUp(error: unknown): void {
    if (error instanceof RealtimeError) this.shutDown(error);
    else {
      this.#realtime.log.warn({ err: error }, 'whether a token is good could not be asked');
      this.shutDown('Realtime was unable to connect to the project database');
    }
  }

  /** Its session may have ended, or memberships changed, while it was joined: nobody has told it of that. */
  async checkAgain(): Promise<void> {
    const session = this.#session;
    try {
      const now = await readAgain(this.#realtime.sessions, session);
      if (callerKeyOf(now) !== callerKeyOf(session))
        throw new RealtimeError('InvalidJWTToken', 'The session of this token has ended');
      await this.checkRights();
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /** Memberships may have changed: whether a private topic may still be listened to is asked again. */
  async checkRights(): Promise<void> {
    if (!this.config.isPrivate || this.#closed) return;
    const session = this.#session;
    const now = await this.#realtime.rights.listen(session.caller, this.name).catch((error: unknown) => {
      this.#realtime.log.warn({ err: error }, 'rights on a private channel could not be looked at again');
      return null;
    });
    // Meanwhile renewed: it is another caller's rights that count.
    if (session !== this.#session) return this.checkRights();
    this.#speaks = null;
    // Nobody can say whether they may still hear it; their client joins again.
    if (now === null) this.shutDown('Realtime was unable to connect to the project database');
    else if (now.broadcast || now.presence) this.#listens = now;
    else this.shutDown(`You no longer have permission to read from this Channel topic: ${this.name}`);
  }
}

/** Callers with the same key are the same to every policy: what differs from token to token of one session is left out. */
export function callerKeyOf({ caller, claims }: Session): string {
  const { iat, exp, nbf, jti, ...lasting } = claims;
  return `${caller.role} ${JSON.stringify(lasting)}`;
}
