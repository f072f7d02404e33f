// Request bodies that are still arriving, of all doors: how many bytes they hold together, and since when. When that is
// too much, the one that has sent nothing for longest is closed; one that takes too long is closed as well. Counted
// where the parser hands over the bytes, so no door has to do anything for it.

import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { answerClientError } from './answer-client-error.ts';

interface WatchedRequest extends IncomingMessage {
  readonly passOn?: () => void;
  readonly leave?: () => void;
}

/** The reader passes the body on as it arrives, to a disk say, holding none of it: it may take its time from then on, but not fall silent. */
export function passesOn(request: WatchedRequest): void {
  request.passOn?.();
}

/** The request is answered without its body. What still comes of it is thrown away, for a moment: an answer that meets a closed connection may be lost. */
export function leavesBody(request: WatchedRequest): void {
  request.leave?.();
}

export interface BodyLimits {
  /** Bytes of all unfinished bodies together; 0: no limit. */
  readonly totalBytes: number;
  /** How long a body may take to arrive, and one that is passed on may be silent; 0: five minutes. */
  readonly timeoutMs: number;
}

interface Arriving {
  /** That somebody holds. */
  bytes: number;
  /** That were thrown away since it was answered. */
  left: number;
  readonly since: number;
  lastAt: number;
  isPassedOn: boolean;
  /** When it was answered without its body. */
  leftAt: number | null;
}

/** Of a body that nobody takes. */
const mostLeftBytes = 1024 * 1024;
const longestLeftMs = 2000;
const longestMs = 300_000;
const looksEveryMs = 1000;

export class UnfinishedBodies {
  readonly #totalBytes: number;
  readonly #timeoutMs: number;
  readonly #arriving = new Map<IncomingMessage, Arriving>();
  #bytes = 0;
  #watch: NodeJS.Timeout | null = null;

  constructor({ totalBytes, timeoutMs }: BodyLimits) {
    this.#totalBytes = totalBytes;
    this.#timeoutMs = timeoutMs > 0 ? timeoutMs : longestMs;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The head of a request is there; its body, if it has one, has to follow. */
  expect(request: IncomingMessage): void {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if ((length === undefined || length === '0') && encoding === undefined) return;
    const now = performance.now();
    this.#arriving.set(request, { bytes: 0, left: 0, since: now, lastAt: now, isPassedOn: false, leftAt: null });
    this.#watch ??= setInterval(() => this.#letGoLate(), looksEveryMs).unref();
  }

  /** The class of requests for `createServer`: each tells what it takes in. */
  requests(): typeof IncomingMessage {
    const bodies = this;
    return class extends IncomingMessage {
      passOn(): void {
        bodies.#passOn(this);
      }

      leave(): void {
        bodies.#leave(this);
      }

      override push(chunk: Buffer | null): boolean {
        if (chunk === null) bodies.#forget(this);
        else bodies.#take(this, chunk.length);
        return super.push(chunk);
      }

      override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
        bodies.#forget(this);
        super._destroy(error, callback);
      }
    };
  }

  #passOn(request: IncomingMessage): void {
    const one = this.#heldByNobody(request);
    if (one !== undefined) one.isPassedOn = true;
  }

  #leave(request: IncomingMessage): void {
    const one = this.#heldByNobody(request);
    if (one !== undefined) one.leftAt ??= performance.now();
  }

  #heldByNobody(request: IncomingMessage): Arriving | undefined {
    const one = this.#arriving.get(request);
    if (one === undefined) return undefined;
    this.#bytes -= one.bytes;
    one.bytes = 0;
    return one;
  }

  #take(request: IncomingMessage, bytes: number): void {
    const one = this.#arriving.get(request);
    if (one === undefined) return;
    if (one.leftAt !== null) {
      one.left += bytes;
      if (one.left > mostLeftBytes) this.#cutOff(request);
      return;
    }
    one.lastAt = performance.now();
    if (one.isPassedOn) return;
    one.bytes += bytes;
    this.#bytes += bytes;
    while (this.#totalBytes > 0 && this.#bytes > this.#totalBytes) this.#letGo(this.#quietest());
  }

  #quietest(): IncomingMessage {
    let found: IncomingMessage | undefined;
    let lastAt = Number.POSITIVE_INFINITY;
    for (const [request, one] of this.#arriving)
      if (one.bytes > 0 && one.lastAt < lastAt) {
        found = request;
        lastAt = one.lastAt;
      }
    return found as IncomingMessage;
  }

  #letGoLate(): void {
    const limit = performance.now() - this.#timeoutMs;
    const leftLimit = performance.now() - longestLeftMs;
    for (const [request, { since, lastAt, isPassedOn, leftAt }] of [...this.#arriving])
      if (leftAt !== null) {
        if (leftAt < leftLimit) this.#cutOff(request);
      } else if (isPassedOn ? lastAt < limit && !isHeldUp(request) : since < limit) this.#letGo(request);
    if (this.#arriving.size > 0 || this.#watch === null) return;
    clearInterval(this.#watch);
    this.#watch = null;
  }

  #letGo(request: IncomingMessage): void {
    this.#forget(request);
    const socket: Socket = request.socket;
    answerClientError(Object.assign(new Error('The body did not arrive'), { code: 'KB408' }), socket);
    // The reader gets an error, and frees what it has.
    request.destroy();
    socket.destroySoon();
  }

  /** It has its answer. */
  #cutOff(request: IncomingMessage): void {
    this.#forget(request);
    request.socket.destroy();
  }

  #forget(request: IncomingMessage): void {
    const one = this.#arriving.get(request);
    if (one === undefined) return;
    this.#arriving.delete(request);
    this.#bytes -= one.bytes;
  }
}

/** Silent because its reader is slow, not its sender. */
function isHeldUp(request: IncomingMessage): boolean {
  return request.readableLength >= request.readableHighWaterMark;
}
