// One socket of one client: its channels, what it may send how often, and what happens when it reads too slowly.

import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Session } from '../../session/types.ts';
import type { Channel, Line, Reply } from '../channels/channel.ts';
import { joinChannel } from '../channels/join-channel.ts';
import { RealtimeError } from '../errors.ts';
import type { Realtime } from '../realtime.ts';
import { type Bundle, type Frame, frameOf } from './frame.ts';
import { type FrameLimits, IncomingFrames } from './incoming-frames.ts';
import { type Message, type Version, writeMessage } from './messages.ts';
import type { Holder, Outgoing } from './outgoing.ts';
import { Rate } from './rate.ts';

export interface SocketOptions {
  readonly realtime: Realtime;
  readonly ws: WebSocket;
  readonly stream: Duplex;
  readonly version: Version;
  /** Whose API key opened it. */
  readonly session: Session;
  /** Whether it may join anything: false while too many others do. */
  readonly admit: (socket: ClientSocket) => boolean;
  readonly onClosed: (socket: ClientSocket) => void;
  readonly frames: FrameLimits;
  readonly outgoing: Outgoing;
  /** What is said within one turn leaves together: the empty bundle to begin with; `flush` is called at its end. */
  readonly gather: (socket: ClientSocket) => Bundle;
}

const policyViolation = 1008;
const tryAgainLater = 1013;
const slowReader = 'slow_reader: you read more slowly than you are sent to';
const closeLimitMs = 3000;

export class ClientSocket implements Line, Holder {
  readonly version: Version;
  readonly #options: SocketOptions;
  readonly #channels = new Map<string, Channel>();
  readonly #joins: Rate;
  readonly #messages: Rate;
  /** Joins under way, by topic: a second one overtakes the first. */
  readonly #joining = new Map<string, Message>();
  #alive = true;
  #dropped = false;
  /** Not written yet. */
  #bundle: Bundle | null = null;

  constructor(options: SocketOptions) {
    this.#options = options;
    this.version = options.version;
    const { settings } = options.realtime;
    this.#joins = new Rate(settings.joinsPerSecond);
    this.#messages = new Rate(settings.messagesPerSecond);
    const { ws } = options;
    new IncomingFrames(options, {
      alive: () => {
        this.#alive = true;
      },
      hasJoined: () => this.#channels.size > 0,
      onMessage: (message) => this.#receive(message),
      onFault: (error) => this.#passOver(error),
      close: (code, reason) => this.close(code, reason),
    });
    ws.on('pong', () => {
      this.#alive = true;
    });
    ws.on('error', () => ws.terminate());
    ws.on('close', () => this.#ended());
  }

  channels(): Iterable<Channel> {
    return this.#channels.values();
  }

  send(frame: Frame): void {
    const { ws, stream, realtime, gather } = this.#options;
    if (this.#dropped || ws.readyState !== ws.OPEN) return;
    this.#bundle = (this.#bundle ?? gather(this)).with(frame);
    if (stream.writableLength + this.#bundle.size > realtime.settings.sendBufferKb * 1024) {
      realtime.log.warn({ buffered: stream.writableLength }, 'a socket reads too slowly and is closed');
      this.close(tryAgainLater, slowReader);
    }
  }

  /** Past `ws`, which would make the header anew for each socket and write twice; its own frames are whole, too. */
  flush(): void {
    const { ws, stream, outgoing } = this.#options;
    const bundle = this.#bundle;
    this.#bundle = null;
    if (bundle === null || ws.readyState !== ws.OPEN) return;
    const bytes = bundle.bytes();
    let taken: (() => void) | null = null;
    const isRoomLeft = stream.write(bytes, () => taken?.());
    // What leaves at once is held by nobody.
    if (!isRoomLeft) taken = outgoing.hold(bytes, this);
  }

  get waiting(): number {
    const { stream } = this.#options;
    return stream.destroyed ? 0 : stream.writableLength;
  }

  /** Others need the memory that it holds. */
  putOut(): void {
    this.#options.realtime.log.warn({ buffered: this.waiting }, 'a socket reads too slowly and is closed');
    this.#drop(tryAgainLater, slowReader);
    // The reason would wait behind all the rest.
    this.terminate();
  }

  push(
    { topic, joinRef }: Pick<Channel, 'topic' | 'joinRef'>,
    event: string,
    payload: unknown,
    ref?: string | null,
  ): void {
    // Pushes carry the reference of the join, so that one that was overtaken does not hear them.
    this.#write({ joinRef, ref: ref ?? null, topic, event, payload });
  }

  forget(channel: Channel): void {
    if (this.#channels.get(channel.topic) === channel) this.#channels.delete(channel.topic);
  }

  /** Asks whether the other end is there; false when it has not answered the last time. */
  ping(): boolean {
    const { ws } = this.#options;
    if (!this.#alive) return false;
    this.#alive = false;
    ws.ping();
    return true;
  }

  close(code: number, reason: string): void {
    if (this.#dropped) return;
    this.flush();
    this.#drop(code, reason);
  }

  #drop(code: number, reason: string): void {
    if (this.#dropped) return;
    this.#dropped = true;
    const { ws } = this.#options;
    ws.close(code, reason);
    // One who does not read does not read this either.
    setTimeout(() => ws.terminate(), closeLimitMs).unref();
    this.#ended();
  }

  terminate(): void {
    this.#options.ws.terminate();
  }

  #ended(): void {
    for (const channel of [...this.#channels.values()])
      try {
        channel.end();
      } catch (error) {
        // The others of this socket have to end all the same.
        this.#options.realtime.log.error({ err: error, topic: channel.topic }, 'a channel could not be ended');
      }
    this.#joining.clear();
    this.#options.onClosed(this);
  }

  #write(message: Message): void {
    this.send(frameOf(writeMessage(this.version, message)));
  }

  #reply({ joinRef, ref, topic }: Message, reply: Reply): void {
    if (reply !== null) this.#write({ joinRef, ref, topic, event: 'phx_reply', payload: reply });
  }

  /** As Supabase's server does: one bad message is no reason to take everything else away. */
  #passOver(error: unknown): void {
    this.#options.realtime.log.debug({ err: error }, 'what is not a message of this version is passed over');
    if (!this.#messages.take()) this.close(policyViolation, `too many that are no messages of version ${this.version}`);
  }

  #receive(message: Message): void {
    if (message.topic === 'phoenix') {
      this.#reply(message, { status: 'ok', response: {} });
      return;
    }
    if (message.event === 'phx_join') {
      void this.#join(message);
      return;
    }
    const channel = this.#channels.get(message.topic);
    if (message.event === 'phx_leave') {
      this.#leave(message, channel);
      return;
    }
    if (channel === undefined) {
      this.#reply(message, { status: 'error', response: { reason: 'unmatched topic' } });
      return;
    }
    if (!this.#messages.take()) {
      channel.shutDown(new RealtimeError('MessageRateLimitReached', 'Too many messages per second'));
      return;
    }
    void this.#handle(channel, message);
  }

  async #handle(channel: Channel, message: Message): Promise<void> {
    try {
      this.#reply(message, await channel.receive(message.event, message.payload));
    } catch (error) {
      this.#options.realtime.log.error({ err: error }, 'a message of a client could not be dealt with');
      this.#reply(message, { status: 'error', response: {} });
    }
  }

  #leave(message: Message, channel: Channel | undefined): void {
    const joined = this.#joining.get(message.topic) ?? channel;
    // Who leaves a join that was overtaken has been told that it is closed; the one that came after it stays.
    if (joined !== undefined && message.joinRef !== null && joined.joinRef !== message.joinRef) return;
    this.#joining.delete(message.topic);
    this.#reply(message, { status: 'ok', response: {} });
    channel?.close();
  }

  async #join(message: Message): Promise<void> {
    const { realtime, session } = this.#options;
    const refuse = (reason: string): void => this.#reply(message, { status: 'error', response: { reason } });
    if (!message.topic.startsWith('realtime:')) {
      refuse('unmatched topic');
      return;
    }
    if (!this.#options.admit(this)) {
      refuse(new RealtimeError('ConnectionRateLimitReached', 'Too many connected users').reason);
      return;
    }
    if (!this.#joins.take()) {
      const error = new RealtimeError('ClientJoinRateLimitReached', 'Too many joins per second');
      refuse(error.reason);
      this.close(policyViolation, error.reason);
      return;
    }
    // Whoever joins again has forgotten the first time.
    this.#channels.get(message.topic)?.close();
    const { maxChannels } = realtime.settings;
    this.#joining.delete(message.topic);
    if (this.#channels.size + this.#joining.size >= maxChannels) {
      refuse(new RealtimeError('ChannelRateLimitReached', 'Too many channels').reason);
      return;
    }
    this.#joining.set(message.topic, message);
    const { revision } = realtime.rights;
    try {
      const { channel, response, begin } = await joinChannel(realtime, this, message, session);
      if (this.#joining.get(message.topic) !== message || this.#dropped) {
        channel.end();
        return;
      }
      this.#joining.delete(message.topic);
      this.#channels.set(message.topic, channel);
      realtime.topics.join(channel.key, channel);
      this.#reply(message, { status: 'ok', response });
      begin();
      // What has changed since the join was allowed was looked at for those who were there already.
      if (revision !== realtime.rights.revision) void channel.checkAgain();
    } catch (error) {
      if (this.#joining.get(message.topic) === message) this.#joining.delete(message.topic);
      if (error instanceof RealtimeError) {
        realtime.log.debug({ topic: message.topic, reason: error.reason }, 'a join was refused');
        refuse(error.reason);
      } else {
        realtime.log.error({ err: error, topic: message.topic }, 'a join failed');
        refuse(new RealtimeError('UnknownErrorOnChannel', 'Unknown Error on Channel').message);
      }
    }
  }
}
