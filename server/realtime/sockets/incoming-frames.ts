// Incoming frames of one socket: limits their length, their bytes a second, and the bytes of unfinished frames of all sockets. A long frame is
// checked in slices while later frames wait.

import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { JsonError } from '../../json/scan-json.ts';
import type { Message, Version } from './messages.ts';
import { Rate } from './rate.ts';
import { readMessage } from './read-message.ts';

export interface FrameLimits {
  /** Of a frame, once something is joined. */
  readonly maxBytes: number;
  /** Of a frame before. */
  readonly beforeJoin: number;
  /** Of unfinished frames of all sockets together; 0: no limit. */
  readonly unfinished: number;
  /** How many there are now. */
  readonly held: { bytes: number };
}

interface Socket {
  readonly alive: () => void;
  readonly hasJoined: () => boolean;
  readonly onMessage: (message: Message) => void;
  readonly onFault: (error: unknown) => void;
  readonly close: (code: number, reason: string) => void;
}

interface Options {
  readonly ws: WebSocket;
  readonly stream: Duplex;
  readonly version: Version;
  readonly frames: FrameLimits;
}

const messageTooBig = 1009;
const policyViolation = 1008;
const tryAgainLater = 1013;
/** A chunk of the stream may hold the end of one frame and the beginning of the next. */
const chunkBytes = 128 * 1024;
/** Shorter frames are counted by their number alone. */
const longBytes = 16 * 1024;

export class IncomingFrames {
  readonly #options: Options;
  readonly #socket: Socket;
  readonly #longBytes: Rate;
  readonly #waiting: { readonly data: Buffer; readonly isBinary: boolean }[] = [];
  #isReading = false;
  #isClosed = false;
  /** Since the last whole frame. */
  #unfinished = 0;

  constructor(options: Options, socket: Socket) {
    this.#options = options;
    this.#socket = socket;
    const { ws, stream, frames } = options;
    this.#longBytes = new Rate(frames.maxBytes * 2);
    ws.on('message', (data, isBinary) => {
      socket.alive();
      this.#forget();
      this.#receive(data as Buffer, isBinary);
    });
    stream.on('data', (chunk: Buffer) => this.#arrives(chunk.length));
    ws.on('close', () => {
      this.#isClosed = true;
      this.#waiting.length = 0;
      this.#forget();
    });
  }

  #arrives(bytes: number): void {
    if (this.#isClosed) return;
    const { frames } = this.#options;
    this.#unfinished += bytes;
    frames.held.bytes += bytes;
    if (!this.#socket.hasJoined() && this.#unfinished > frames.beforeJoin + chunkBytes) this.#tooLarge();
    else if (frames.unfinished > 0 && frames.held.bytes > frames.unfinished && this.#unfinished > chunkBytes)
      this.#close(tryAgainLater, 'too_many_bytes: too many others send long messages');
  }

  #forget(): void {
    this.#options.frames.held.bytes -= this.#unfinished;
    this.#unfinished = 0;
  }

  #tooLarge(): void {
    const { beforeJoin } = this.#options.frames;
    this.#close(messageTooBig, `message_too_large: join a channel first, with at most ${beforeJoin} bytes`);
  }

  #close(code: number, reason: string): void {
    this.#isClosed = true;
    this.#waiting.length = 0;
    // What follows is not gathered any more.
    this.#options.ws.pause();
    this.#forget();
    this.#socket.close(code, reason);
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (this.#isClosed) return;
    if (this.#isReading) {
      this.#waiting.push({ data, isBinary });
      return;
    }
    const { frames, version } = this.#options;
    if (data.length > frames.beforeJoin && !this.#socket.hasJoined()) {
      this.#tooLarge();
      return;
    }
    if (data.length > longBytes && !this.#longBytes.take(data.length)) {
      this.#close(policyViolation, 'too_many_bytes: you send too many long messages in a second');
      return;
    }
    try {
      const message = readMessage(version, data, isBinary);
      if (message instanceof Promise) this.#readInTurn(message);
      else this.#socket.onMessage(message);
    } catch (error) {
      this.#fault(error);
    }
  }

  #readInTurn(message: Promise<Message>): void {
    this.#isReading = true;
    this.#options.ws.pause();
    message
      .then((one) => {
        if (!this.#isClosed) this.#socket.onMessage(one);
      })
      .catch((error: unknown) => this.#fault(error))
      .finally(() => {
        this.#isReading = false;
        while (!this.#isReading && this.#waiting.length > 0) {
          const [{ data, isBinary }] = this.#waiting.splice(0, 1) as [{ data: Buffer; isBinary: boolean }];
          this.#receive(data, isBinary);
        }
        if (!this.#isReading && !this.#isClosed) this.#options.ws.resume();
      });
  }

  #fault(error: unknown): void {
    if (this.#isClosed) return;
    if (error instanceof JsonError && error.fault !== 'invalid')
      this.#close(messageTooBig, `message_too_large: a message with ${error.message}`);
    else this.#socket.onFault(error);
  }
}
