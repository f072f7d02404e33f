// Answers that their clients do not read: how many bytes of them wait in this process, and for how long. A connection that
// takes next to nothing for a while is closed; when all of them hold too much, the one that takes least is closed first.
// Sockets are looked at from outside, so no door has to do anything for it.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface AnswerLimits {
  /** Bytes that wait for their readers, of all answers together; 0: no limit. */
  readonly totalBytes: number;
  /** How long a reader may take next to nothing; 0: for ever. */
  readonly timeoutMs: number;
}

interface Unread {
  /** Bytes that had left when it was looked at last. */
  sent: number;
  since: number;
  /** How many left in the window before. */
  pace: number;
}

/** Less than this waits on every busy connection. */
const someBytes = 64 * 1024;
/** A reader who takes this much within the time is a slow one. */
const enoughBytes = 256 * 1024;
const looksEveryMs = 1000;
/** Says nothing yet about a reader: how fast the system took its first bytes. */
const firstMomentMs = 100;

export class UnreadAnswers {
  readonly #limits: AnswerLimits;
  readonly #open = new Set<Socket>();
  readonly #unread = new Map<Socket, Unread>();
  #isChecking = false;

  constructor(limits: AnswerLimits) {
    this.#limits = limits;
  }

  /** How many bytes wait. */
  get bytes(): number {
    let total = 0;
    for (const socket of this.#unread.keys()) total += socket.writableLength;
    return total;
  }

  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#open.add(socket);
      socket.once('close', () => {
        this.#open.delete(socket);
        this.#unread.delete(socket);
      });
    });
    const looking = setInterval(() => this.#look(), looksEveryMs).unref();
    server.once('close', () => clearInterval(looking));
  }

  /** Something long was written: what waits now is added up when this turn is over. */
  wrote(socket: Socket | null, bytes: number): void {
    if (socket === null || bytes < someBytes) return;
    if (!this.#unread.has(socket)) this.#unread.set(socket, begun(socket));
    if (this.#isChecking || this.#limits.totalBytes === 0) return;
    this.#isChecking = true;
    setImmediate(() => {
      this.#isChecking = false;
      this.#letGoSlowest();
    });
  }

  #look(): void {
    const now = performance.now();
    const { timeoutMs } = this.#limits;
    for (const socket of this.#open) {
      if (socket.writableLength === 0) {
        this.#unread.delete(socket);
        continue;
      }
      const one = this.#unread.get(socket);
      if (one === undefined) {
        this.#unread.set(socket, begun(socket));
        continue;
      }
      const sent = sentOf(socket);
      if (sent - one.sent >= Math.min(enoughBytes, socket.writableLength)) {
        one.pace = ((sent - one.sent) / (now - one.since)) * 1000;
        one.sent = sent;
        one.since = now;
      } else if (timeoutMs > 0 && now - one.since > timeoutMs) this.#letGo(socket);
      else one.pace /= 2;
    }
    this.#letGoSlowest();
  }

  #letGoSlowest(): void {
    const { totalBytes } = this.#limits;
    if (totalBytes === 0) return;
    let total = this.bytes;
    while (total > totalBytes) {
      const slowest = this.#slowest();
      if (slowest === null) return;
      total -= slowest.writableLength;
      this.#letGo(slowest);
    }
  }

  /** Of those that hold much, the one that has taken least for what time it had. */
  #slowest(): Socket | null {
    const now = performance.now();
    let found: Socket | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const [socket, one] of this.#unread) {
      if (socket.writableLength < someBytes) continue;
      const pace = paceOf(socket, one, now);
      if (pace < least) {
        found = socket;
        least = pace;
      }
    }
    return found;
  }

  #letGo(socket: Socket): void {
    this.#unread.delete(socket);
    this.#open.delete(socket);
    // Nothing that is added would be read; the length or the end that was promised does not come.
    socket.destroy();
  }
}

const begun = (socket: Socket): Unread => ({ sent: sentOf(socket), since: performance.now(), pace: 0 });

/**
 * Bytes a second that a reader has taken, less a little the longer it takes none.
 * Readers in their first moment have more than all others, the youngest most.
 */
function paceOf(socket: Socket, { sent, since, pace }: Unread, now: number): number {
  const age = now - since;
  if (pace === 0 && age < firstMomentMs) return Number.MAX_SAFE_INTEGER - age;
  return Math.max(pace, ((sentOf(socket) - sent) / Math.max(1, age)) * 1000) - age / looksEveryMs;
}

/** Bytes that the system has taken: of one large write, those that have left so far. */
function sentOf(socket: Socket): number {
  const { _handle: handle } = socket as unknown as {
    readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten - socket.writableLength;
}
