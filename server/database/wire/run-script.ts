// Statements one after the other on a connection of their own, by the simple protocol: each is a transaction of its own
// unless it says otherwise, and one text may hold several. For migrations and setting up, where nothing is bound.

import { PostgresError } from '../types.ts';
import { dial } from './dial.ts';
import { readError } from './errors.ts';
import { readRow } from './exchange.ts';
import { Reader } from './reader.ts';
import type { Target } from './target.ts';
import { Writer } from './writer.ts';

export interface Script {
  /** Runs a text; the rows of its last statement, as text. */
  run(text: string): Promise<(string | null)[][]>;
  /** Whether a transaction is open after the last text. */
  inTransaction(): boolean;
  /** How many statements of the last text were completed. */
  completed(): number;
  close(): void;
}

const refusal = 'rows from stdin cannot be read here; write them as insert statements';
/** CopyFail: a letter, the length of what follows, the reason. */
const refuseCopy = Buffer.concat([
  Buffer.from('f'),
  Buffer.from(Uint32Array.of(refusal.length + 5).buffer).swap32(),
  Buffer.from(`${refusal}\0`),
]);

export async function openScript(target: Target): Promise<Script> {
  const { socket, receive } = await dial(target);
  const out = new Writer();
  let rows: (string | null)[][] = [];
  let error: PostgresError | null = null;
  let broken: Error | null = null;
  let status = 0x49;
  let completed = 0;
  let waiting: { resolve: (rows: (string | null)[][]) => void; reject: (error: unknown) => void } | null = null;
  const fail = (reason: Error): void => {
    broken ??= error ?? reason;
    waiting?.reject(broken);
    waiting = null;
    socket.destroy();
  };
  const reader = new Reader((type, bytes, start, end) => {
    if (type === 0x54) rows = [];
    else if (type === 0x44)
      rows.push(readRow(bytes, start, end, undefined).map((cell) => cell?.toString('utf8') ?? null));
    else if (type === 0x43) completed += 1;
    // `copy … from stdin` waits for rows, and a script has none to send.
    else if (type === 0x47) socket.write(refuseCopy);
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
        completed = 0;
        waiting = { resolve, reject };
        out.query(text);
        socket.write(Buffer.from(out.view()));
        out.reuse();
      }),
    inTransaction: () => status !== 0x49,
    completed: () => completed,
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
