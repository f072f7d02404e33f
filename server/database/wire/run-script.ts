// Statements one after the other on a connection of their own, by the simple protocol: each is a transaction of its own
// unless it says otherwise, and one text may hold several. For migrations and setting up, where nothing is bound.

import { PostgresError } from '../types.ts';
import { dial } from './dial.ts';
import { readError } from './errors.ts';
import { Outbox } from './outbox.ts';
import { int16, int32, Reader } from './reader.ts';
import type { Target } from './target.ts';

export interface Script {
  /** Runs a text; the rows of its last statement, as text. */
  run(text: string): Promise<(string | null)[][]>;
  /** Whether a transaction is open after the last text. */
  inTransaction(): boolean;
  close(): void;
}

export async function openScript(target: Target): Promise<Script> {
  const { socket, receive } = await dial(target);
  const out = new Outbox();
  let rows: (string | null)[][] = [];
  let error: PostgresError | null = null;
  let broken: Error | null = null;
  let status = 0x49;
  let waiting: { resolve: (rows: (string | null)[][]) => void; reject: (error: unknown) => void } | null = null;
  const fail = (reason: Error): void => {
    broken ??= error ?? reason;
    waiting?.reject(broken);
    waiting = null;
    socket.destroy();
  };
  const reader = new Reader((type, bytes, start, end) => {
    if (type === 0x54) rows = [];
    else if (type === 0x44) rows.push(readTexts(bytes, start));
    else if (type === 0x45) error ??= readError(bytes, start, end);
    else if (type === 0x5a) {
      status = bytes[start] ?? 0x49;
      const { resolve, reject } = waiting ?? { resolve: () => undefined, reject: () => undefined };
      waiting = null;
      if (error === null) resolve(rows);
      else reject(error);
    }
  }, fail);
  receive(reader);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The database closed the connection')));
  socket.resume();
  return {
    run: (text) =>
      new Promise((resolve, reject) => {
        if (broken !== null) {
          reject(broken);
          return;
        }
        rows = [];
        error = null;
        waiting = { resolve, reject };
        out.query(text);
        socket.write(Buffer.from(out.view()));
        out.reuse();
      }),
    inTransaction: () => status !== 0x49,
    close: () => {
      broken ??= new Error('The connection was closed');
      out.terminate();
      socket.end(Buffer.from(out.view()));
    },
  };
}

/** Runs statements and leaves; errors with the codes in `tolerated` are passed over. */
export async function runScript(
  target: Target,
  statements: readonly string[],
  tolerated: readonly string[] = [],
): Promise<void> {
  const script = await openScript(target);
  try {
    for (const statement of statements) {
      try {
        await script.run(statement);
      } catch (error) {
        if (!(error instanceof PostgresError) || !tolerated.includes(error.sqlstate)) throw error;
      }
    }
  } finally {
    script.close();
  }
}

function readTexts(bytes: Buffer, start: number): (string | null)[] {
  const count = int16(bytes, start);
  const texts: (string | null)[] = [];
  let at = start + 2;
  for (let index = 0; index < count; index++) {
    const length = int32(bytes, at);
    at += 4;
    texts.push(length < 0 ? null : bytes.toString('utf8', at, at + Math.max(0, length)));
    at += Math.max(0, length);
  }
  return texts;
}
