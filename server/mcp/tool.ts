// Type of a tool: its schemas, what it takes, and its work. One file a tool in tools/, all of them in tools/tool-list.ts.

import { checkBody } from '../http/check-body.ts';
import { body, type Schema } from '../http/open-api.ts';
import type { Board } from './board.ts';
import { ToolFault } from './tool-fault.ts';

export const scopes = ['read', 'comment', 'write'] as const;
/** Scope that a token must have; each includes those before it. */
export type Scope = (typeof scopes)[number];

export interface ToolCall {
  readonly board: Board;
  /** Aborted when the client cancels the call or goes away. */
  readonly signal: AbortSignal;
  progress(done: number, total: number, message: string): Promise<void>;
}

export interface ToolAnswer {
  /** As the output schema has it. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** For the model. */
  readonly text: string;
}

export interface ToolHints {
  readonly readOnly?: true;
  /** Overwrites or removes what others may have written. */
  readonly destructive?: true;
  readonly idempotent?: true;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: Scope;
  readonly hints: ToolHints;
  readonly input: Schema;
  readonly output: Schema;
  run(args: unknown, call: ToolCall): Promise<ToolAnswer>;
}

interface Declared<T> extends Omit<Tool, 'run' | 'input'> {
  readonly input: Schema<T>;
  readonly run: (args: T, call: ToolCall) => Promise<ToolAnswer>;
}

export function declareTool<T>(tool: Declared<T>): Tool {
  const { input, run } = tool;
  const check = argumentsOf(tool.name, input);
  return { ...tool, input, run: async (args, call) => run(check(args ?? {}), call) };
}

/** Checks what a tool was given, or a part of it that its schema leaves open. */
export function argumentsOf<T>(tool: string, schema: Schema<T>): (given: unknown) => T {
  const taken = { requestBody: body(schema) };
  const refuse = ({ words }: { words: string }) =>
    new ToolFault(`${words.replace(/\.$/, '')}. Correct the arguments of ${tool} and call it again.`, 'KB884');
  return (given) => {
    refuseUnknown(schema, given, '', (words) => refuse({ words }));
    return checkBody(taken, given, refuse);
  };
}

/** A misspelled argument would otherwise be passed over in silence. */
function refuseUnknown(
  { properties, items }: Schema,
  value: unknown,
  place: string,
  refuse: (words: string) => Error,
): void {
  if (Array.isArray(value) && items !== undefined)
    for (const [at, one] of value.entries()) refuseUnknown(items, one, `${place}/${at}`, refuse);
  if (properties === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [name, held] of Object.entries(value)) {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (field === undefined)
      throw refuse(
        `${`${place}/${name}`.slice(1, 100)} is no argument; there are ${Object.keys(properties).join(', ') || 'none'}`,
      );
    refuseUnknown(field, held, `${place}/${name}`, refuse);
  }
}

export const allows = (claimed: string | undefined, needed: Scope): boolean => {
  if (claimed === undefined) return true;
  const held = claimed.split(' ');
  return scopes.slice(scopes.indexOf(needed)).some((one) => held.includes(one));
};

/** For reads after a save: a failed re-read must not look like a failed save, or the model would repeat the call. */
export const orUndefined = <T>(read: Promise<T>): Promise<T | undefined> => read.catch(() => undefined);
