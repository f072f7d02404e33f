// One process that resizes images, one at a time: what an image does to it, a crash, a loop or much memory, stays with it. Ended
// when a task takes too long and when it has had nothing to do for a while, so that its memory goes back.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Readable, Writable } from 'node:stream';
import { imageProgram, noSharp } from './image-program.ts';
import type { OutputFormat } from './read-transform.ts';

/** What is to be done with an image of `size` bytes, as sharp's own options. */
export interface ImageTask {
  readonly size: number;
  readonly pixelLimit: number;
  /** Bytes of an image whose format has no rows to read one by one. */
  readonly mostHeld: number;
  readonly resize: Readonly<Record<string, unknown>> | null;
  /** Null: as it came. */
  readonly format: OutputFormat | null;
  readonly encodings: Readonly<Record<OutputFormat, object>>;
  /** The format that an image of this kind leaves in. */
  readonly origins: Readonly<Record<string, OutputFormat>>;
}

export interface ImageAnswer {
  readonly format: OutputFormat;
  /** In the words of libvips. */
  readonly error?: string;
  /** Of a processor. */
  readonly milliseconds: number;
  readonly bytes: Buffer;
}

const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`);
/** Much more than an image of the largest side takes on an idle machine. */
const secondsAtMost = 30;

/** It took too long, or took the process down. */
export class TooMuch extends Error {}
/** Sharp is not there for this platform. */
export class NoSharp extends Error {}

export class ImageProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  #parts: Buffer[] = [];
  #length = 0;
  #settle: ((answer: ImageAnswer) => void) | null = null;
  #fail: ((error: Error) => void) | null = null;
  /** Goes on sending, also when nobody reads any more. */
  #wake: () => void = () => undefined;
  hasEnded = false;

  constructor() {
    const sharp = createRequire(import.meta.url).resolve('sharp');
    this.#child = spawn(process.execPath, ['-e', imageProgram, sharp, JSON.stringify(loaders)], {
      // Pixels that were freed go back to the system at once: two arenas, and large pieces of their own.
      env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '1048576' },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    this.#child.stdout.on('data', (part: Buffer) => this.#read(part));
    this.#child.stdin.on('error', () => undefined);
    this.#child.on('error', (error) => this.#ended(error));
    this.#child.on('exit', (code, signal) =>
      this.#ended(code === noSharp ? new NoSharp() : new TooMuch(`The image process ended with ${signal ?? code}`)),
    );
  }

  async run(task: ImageTask, bytes: Readable): Promise<ImageAnswer> {
    const answered = new Promise<ImageAnswer>((resolve, reject) => {
      this.#settle = resolve;
      this.#fail = reject;
    });
    answered.catch(() => undefined);
    const deadline = setTimeout(() => this.end(), secondsAtMost * 1000);
    try {
      await this.#send(task, bytes);
      return await answered;
    } catch (error) {
      // Half of an image may stand in its input.
      this.end();
      throw error;
    } finally {
      clearTimeout(deadline);
      this.#settle = this.#fail = null;
    }
  }

  end(): void {
    this.#child.kill('SIGKILL');
    this.#ended(new TooMuch('The image process was ended'));
  }

  async #send(task: ImageTask, bytes: Readable): Promise<void> {
    const text = Buffer.from(JSON.stringify(task));
    const front = Buffer.alloc(4);
    front.writeUInt32BE(text.length);
    this.#child.stdin.write(Buffer.concat([front, text]));
    let sent = 0;
    for await (const part of bytes as AsyncIterable<Buffer>) {
      // Why it ended is told by its answer, which fails.
      if (this.hasEnded) return;
      sent += part.length;
      if (!this.#child.stdin.write(part)) await this.#drained();
    }
    if (sent !== task.size) throw new Error(`An image has ${sent} bytes in place of ${task.size}`);
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#child.stdin.once('drain', resolve);
    });
  }

  #read(part: Buffer): void {
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length < 4) return;
    const front = this.#parts.length === 1 ? part : Buffer.concat(this.#parts, this.#length);
    this.#parts = [front];
    const begin = 4 + front.readUInt32BE();
    if (this.#length < begin) return;
    const answer = JSON.parse(front.toString('utf8', 4, begin)) as Omit<ImageAnswer, 'bytes'> & { size: number };
    if (this.#length < begin + answer.size) return;
    this.#parts = [];
    this.#length = 0;
    this.#settle?.({ ...answer, bytes: Buffer.from(front.subarray(begin, begin + answer.size)) });
  }

  #ended(error: Error): void {
    this.hasEnded = true;
    this.#fail?.(error);
    this.#wake();
  }
}
