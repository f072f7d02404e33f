// Replication connection: creates a temporary slot, streams committed changes through it, and acknowledges its position. The slot ends with the
// connection, so a process that dies leaves nothing behind that retains WAL.

import type { PostgresError } from '../types.ts';
import { dial } from '../wire/dial.ts';
import { readError } from '../wire/errors.ts';
import { int16, int32, Reader } from '../wire/reader.ts';
import type { Target } from '../wire/target.ts';
import { Writer } from '../wire/writer.ts';
import { type OutputMessage, readOutput } from './pgoutput.ts';

export interface StreamOptions {
  readonly target: Target;
  /** Letters, digits and underscores; unique in the whole cluster. */
  readonly slot: string;
  readonly publications: readonly string[];
  /** In commit order. Bytes behind it may be overwritten: what is read must be copied, and is. */
  readonly onMessage: (message: OutputMessage) => void;
  /** The connection ended by itself. */
  readonly onEnd: (error: Error) => void;
}

export interface ChangeStream {
  /** Everything up to here has been dealt with; Postgres may forget it. */
  acknowledge(end: bigint): void;
  /** Wants to hear soon how far the log has been read. */
  ask(): void;
  /** Postgres has written its log up to here, as somebody else heard. */
  noteWritten(end: bigint): void;
  /** Bytes of WAL that Postgres has written and we have not dealt with, by the last report. */
  lag(): number;
  /** Stops reading from the socket until `resume`: Postgres then waits with sending. */
  pause(): void;
  resume(): void;
  /** Drops the slot before it resolves, so that the database may be dropped after. */
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (rows: string[][]) => void;
  readonly reject: (error: unknown) => void;
}

/** Places in the log: up to which it has come here, has been dealt with, and has been written by Postgres. */
interface Positions {
  received: bigint;
  handled: bigint;
  written: bigint;
}

/** Postgres gives a silent reader up after wal_sender_timeout, a minute by default. */
const statusEveryMs = 5000;
/** A server that is asked and says nothing for so long is not there any more. */
const silentMs = 30_000;
const closeLimitMs = 2000;

export async function streamChanges(options: StreamOptions): Promise<ChangeStream> {
  const { socket, receive } = await dial(options.target, { replication: 'database' });
  const out = new Writer();
  let rows: string[][] = [];
  let error: PostgresError | null = null;
  let waiting: Waiting | null = null;
  let copying = false;
  let started: (() => void) | null = null;
  let ended = false;
  let closing = false;
  const log: Positions = { received: 0n, handled: 0n, written: 0n };

  const fail = (reason: Error): void => {
    if (ended) return;
    ended = true;
    clearInterval(timer);
    socket.destroy();
    waiting?.reject(error ?? reason);
    waiting = null;
    if (!closing) options.onEnd(error ?? reason);
  };
  const send = (write: () => void): void => {
    if (ended) return;
    write();
    socket.write(Buffer.from(out.view()));
    out.reuse();
  };
  const run = (text: string): Promise<string[][]> =>
    new Promise((resolve, reject) => {
      rows = [];
      error = null;
      waiting = { resolve, reject };
      send(() => out.query(text));
    });
  const report = (wantsReply = false): void => {
    if (copying) send(() => out.copyData(statusUpdate(log, wantsReply)));
  };
  let heardAt = performance.now();
  let paused = false;
  const timer = setInterval(() => {
    if (!paused && performance.now() - heardAt > silentMs) fail(new Error('The database stopped answering'));
    else report(true);
  }, statusEveryMs);
  timer.unref();

  const reader = new Reader((type, bytes, start, end) => {
    heardAt = performance.now();
    if (type === 0x64) {
      if (readCopy(bytes, start, end, log, options.onMessage)) report();
    } else if (type === 0x44) rows.push(readTexts(bytes, start));
    else if (type === 0x57) {
      copying = true;
      started?.();
    } else if (type === 0x45) {
      error ??= readError(bytes, start, end);
      if (copying) fail(error);
    } else if (type === 0x63) copying = false;
    else if (type === 0x5a) {
      const done = waiting;
      waiting = null;
      if (error === null) done?.resolve(rows);
      else done?.reject(error);
    }
  }, fail);
  receive(reader);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The database closed the replication connection')));
  socket.resume();

  try {
    await run(`CREATE_REPLICATION_SLOT "${options.slot}" TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT`);
    await new Promise<void>((resolve, reject) => {
      started = resolve;
      run(startOf(options)).then(() => undefined, reject);
    });
    waiting = null;
  } catch (reason) {
    closing = true;
    fail(reason instanceof Error ? reason : new Error(String(reason)));
    throw reason;
  }

  return {
    acknowledge(end) {
      if (end > log.handled) log.handled = end;
    },
    ask: () => report(true),
    noteWritten(end) {
      if (end > log.written) log.written = end;
    },
    lag: () => (log.written > log.handled ? Number(log.written - log.handled) : 0),
    pause() {
      paused = true;
      socket.pause();
    },
    resume() {
      paused = false;
      heardAt = performance.now();
      socket.resume();
    },
    async close() {
      if (ended) return;
      closing = true;
      socket.resume();
      const bye = new Promise<void>((resolve) => {
        waiting = { resolve: () => resolve(), reject: () => resolve() };
        send(() => out.copyDone());
      });
      await within(closeLimitMs, bye);
      if (!ended) await within(closeLimitMs, run(`DROP_REPLICATION_SLOT "${options.slot}"`));
      if (ended) return;
      send(() => out.terminate());
      ended = true;
      clearInterval(timer);
      socket.end();
    },
  };
}

/** Waits for it, however it ends, so long at most. */
function within(limitMs: number, it: Promise<unknown>): Promise<unknown> {
  return Promise.race([it.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, limitMs).unref())]);
}

function startOf({ slot, publications }: StreamOptions): string {
  const names = publications.map((name) => `"${name.replaceAll('"', '""')}"`).join(',');
  return `START_REPLICATION SLOT "${slot}" LOGICAL 0/0 (proto_version '1', publication_names '${names.replaceAll("'", "''")}')`;
}

/** What one message of the log says; true: Postgres wants to hear how far it has been read. */
function readCopy(
  bytes: Buffer,
  start: number,
  end: number,
  log: Positions,
  onMessage: StreamOptions['onMessage'],
): boolean {
  const kind = bytes[start];
  if (kind === 0x77) {
    // w: a message, after where it lies and when it was sent
    const at = bytes.readBigUInt64BE(start + 1);
    if (at > log.received) log.received = at;
    const tip = bytes.readBigUInt64BE(start + 9);
    if (tip > log.written) log.written = tip;
    const message = readOutput(bytes.subarray(start + 25, end));
    if (message !== null) onMessage(message);
  } else if (kind === 0x6b) {
    // k: nothing new up to here; perhaps Postgres wants to know whether we are there
    const tip = bytes.readBigUInt64BE(start + 1);
    if (tip > log.written) log.written = tip;
    if (tip > log.received) log.received = tip;
    onMessage({ kind: 'commit', end: tip });
    return bytes[start + 17] === 1;
  }
  return false;
}

/** Written, flushed and applied up to here; when; whether an answer is wanted. */
function statusUpdate({ received, handled }: Positions, wantsReply: boolean): Buffer {
  const bytes = Buffer.alloc(34);
  bytes[0] = 0x72;
  bytes.writeBigUInt64BE(received, 1);
  bytes.writeBigUInt64BE(handled, 9);
  bytes.writeBigUInt64BE(handled, 17);
  bytes.writeBigInt64BE(BigInt(Date.now() - Date.UTC(2000, 0, 1)) * 1000n, 25);
  bytes[33] = wantsReply ? 1 : 0;
  return bytes;
}

function readTexts(bytes: Buffer, start: number): string[] {
  const count = int16(bytes, start);
  const texts: string[] = [];
  let at = start + 2;
  for (let index = 0; index < count; index++) {
    const length = int32(bytes, at);
    at += 4;
    texts.push(length < 0 ? '' : bytes.toString('utf8', at, at + Math.max(0, length)));
    at += Math.max(0, length);
  }
  return texts;
}
