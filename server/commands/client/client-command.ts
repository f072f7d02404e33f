// Type of a command that works against a running instance, from any machine: it reads no settings and opens no database.

import type { OwnFlag } from '../command.ts';
import type { Instance } from './instance.ts';
import type { Environment } from './sign-ins.ts';

export interface ClientFlag extends OwnFlag {
  readonly short?: string;
  /** May be given several times. */
  readonly several?: boolean;
}

export interface ClientCommand {
  /** `task list`, `login`. */
  readonly name: string;
  readonly summary: string;
  readonly about?: string;
  /** Words after the name, in order; the last one may take all that are left, joined by spaces. */
  readonly words?: readonly {
    readonly name: string;
    readonly meaning: string;
    readonly isOptional?: boolean;
    readonly takesRest?: boolean;
  }[];
  readonly flags?: readonly ClientFlag[];
  readonly examples?: readonly string[];
  run(call: ClientCall): Promise<void>;
}

export interface ClientCall {
  readonly words: readonly string[];
  /** By name without dashes; `['']` for those without a value. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly env: Environment;
  /** All client commands. */
  readonly commands: readonly ClientCommand[];
  readonly screen: Screen;
  /** Signed in, or by a key. */
  instance(): Promise<Instance>;
  /** All of standard input. */
  input(): Promise<string>;
}

/** Where output goes: columns, colour and cut titles in a terminal; whole values between tabs in a pipe. */
export interface Screen {
  readonly isTerminal: boolean;
  readonly width: number;
  readonly hasColour: boolean;
  /** A line on standard output. */
  say(line: string): void;
  /** A line on standard error: no part of the result. */
  note(line: string): void;
}

export const one = (call: ClientCall, flag: string): string | null => call.flags.get(flag)?.at(-1) ?? null;
