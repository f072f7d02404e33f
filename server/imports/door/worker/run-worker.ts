// Starts a process for one task of an import, feeds it the file, answers what it asks and tells how it ended. It is killed when it takes too long,
// when nobody waits for it any more, and when the server goes; its memory goes with it.

import { type ChildProcess, spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { programFile } from '../../../program-file.ts';
import { type Means, WorkerAnswers } from './answer-worker.ts';
import { type WorkerLimits, workerLimits } from './limits.ts';
import { type FromWorker, received, sendable, type ToWorker, type WorkerTask } from './messages.ts';

/** `crash`: it ended without a word. */
export type EndedBy = 'time' | 'memory' | 'crash' | 'stop';

export class WorkerEnded extends Error {
  constructor(
    readonly by: EndedBy,
    readonly words = '',
  ) {
    super(`the import worker was ended: ${by}`);
    this.name = 'WorkerEnded';
  }
}

interface Work {
  readonly task: WorkerTask;
  /** Packed; none where the task needs none. */
  readonly file: Iterable<Buffer> | AsyncIterable<Buffer> | null;
  readonly means: Means;
  /** While it reads it is killed then; one that writes may end its step. */
  readonly signal?: AbortSignal | undefined;
  readonly limits?: WorkerLimits;
}

const errorTail = 4000;
/** Garbage is collected early: it costs a sixth more processor time and takes a sixth less memory. */
const thrift = ['--max-semi-space-size=2', '--heap-growing-percent=15'];

export async function runWorker<T>(work: Work): Promise<T> {
  const { means, signal, limits = workerLimits } = work;
  if (signal?.aborted) throw new WorkerEnded('stop');
  const program = await programFile('import-worker');
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${limits.heapMegabytes}`, ...thrift, program, JSON.stringify(limits)],
    {
      // No setting of the server, and none of its secrets; threads that share their memory take 10 MB less.
      env: { MALLOC_ARENA_MAX: '1' },
      stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      windowsHide: true,
    },
  );
  const answers = new WorkerAnswers(means);
  try {
    return (await conversation(child, answers, work)) as T;
  } finally {
    answers.close();
    child.kill('SIGKILL');
  }
}

function conversation(
  child: ChildProcess,
  answers: WorkerAnswers,
  { task, file, signal, limits = workerLimits }: Work,
): Promise<unknown> {
  let errors = '';
  let isWriting = false;
  let killedBy: EndedBy | null = null;
  const kill = (by: EndedBy): void => {
    killedBy ??= by;
    child.kill('SIGKILL');
  };
  const send = (message: ToWorker): void => {
    if (child.connected) child.send(message, () => undefined);
  };
  const late = setTimeout(kill, limits.readMs, 'time');
  let stopTimeout: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (isWriting) {
      send({ type: 'stop' });
      stopTimeout = setTimeout(kill, limits.stopMs, 'stop');
    } else kill('stop');
  };
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-errorTail);
  });
  return new Promise<unknown>((resolve, reject) => {
    child.on('message', (message: FromWorker) => {
      if (message.type === 'ask')
        answers.answer(message.question).then(
          (value) => send({ type: 'answer', id: message.id, value }),
          (error: unknown) => send({ type: 'refusal', id: message.id, error: sendable(error) }),
        );
      else if (message.type === 'read') {
        isWriting = true;
        clearTimeout(late);
      } else if (message.type === 'done') resolve(message.value);
      else reject(received(message.error));
    });
    child.on('error', reject);
    // Once all that it said was heard.
    child.on('close', () => reject(new WorkerEnded(killedBy ?? reasonIn(errors), errors)));
    send({ type: 'task', task });
    if (child.stdin === null) return;
    // One that ends before it has read everything says why by itself; a file that cannot be fetched is told here.
    if (file === null) child.stdin.end();
    else
      pipeline(Readable.from(file), child.stdin).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && error.code !== 'ECONNRESET')
          reject(error);
      });
  }).finally(() => {
    clearTimeout(late);
    clearTimeout(stopTimeout);
    signal?.removeEventListener('abort', stop);
  });
}

function reasonIn(errors: string): EndedBy {
  if (/^time$/m.test(errors)) return 'time';
  return /^memory$/m.test(errors) || /heap limit|out of memory|invalid (array|table) /i.test(errors)
    ? 'memory'
    : 'crash';
}
