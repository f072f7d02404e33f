// Type of a `kanbase` command: its help text, its own flags and the function that runs it.

import type { Config } from '../config/config.ts';
import type { ReadConfig } from '../config/read-config.ts';

export interface OwnFlag {
  /** Without the dashes. */
  readonly name: string;
  readonly meaning: string;
  /** What the value is, for flags that take one. */
  readonly value?: string;
}

export interface Command {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** Further lines for `--help`. */
  readonly about?: string;
  readonly flags?: readonly OwnFlag[];
  /** Words accepted after the command name, such as `status`; none when absent. */
  readonly words?: readonly { readonly name: string; readonly meaning: string }[];
  /** A word of one's own after the command name, such as the path of a file. */
  readonly argument?: { readonly name: string; readonly meaning: string };
  run(call: Call): Promise<number>;
}

export interface Call {
  readonly config: Config;
  readonly sources: ReadConfig['sources'];
  /** Own flags that were given; `''` for those without a value. */
  readonly flags: ReadonlyMap<string, string>;
  readonly word: string | null;
  /** A line on standard output. */
  say(line: string): void;
}

/** A command line that cannot be obeyed: one line that names the word and what is accepted. Exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Something that stops a command and that a person can mend: shown as one line, without a stack. Exit code 1. */
export class CommandError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
  }
}

/** Nobody is signed in at the instance, or no longer. Exit code 4. */
export class SignInError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SignInError';
  }
}

/** A complaint is one line. */
export const inOneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim();
