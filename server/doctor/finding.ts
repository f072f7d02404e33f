// Finding of a check: good, a warning or broken; the last two come with a remedy. Its words are messages of
// web/strings/<language>/health.json, said where it is shown.

import type { MessageValues } from '../../contract/say-message.ts';
import type { MessageKey, Texts, ValuesOf } from '../texts/texts.ts';

export interface Finding {
  readonly state: 'good' | 'thought' | 'broken';
  readonly about: MessageKey;
  /** What to do. */
  readonly next: MessageKey | null;
  readonly values: MessageValues;
}

/** A finding in words. */
export interface SaidFinding extends Pick<Finding, 'state'> {
  readonly about: string;
  readonly next?: string;
}

type Given<Values> = unknown extends Values ? [] : [values: Values];
type Needs<A extends MessageKey, N extends MessageKey> = Given<ValuesOf<A> & ValuesOf<N>>;

export function good<A extends MessageKey>(about: A, ...[values]: Needs<A, A>): Finding {
  return { state: 'good', about, next: null, values: values ?? {} };
}

export function thought<A extends MessageKey, N extends MessageKey>(
  about: A,
  next: N,
  ...[values]: Needs<A, N>
): Finding {
  return { state: 'thought', about, next, values: values ?? {} };
}

export function broken<A extends MessageKey, N extends MessageKey>(
  about: A,
  next: N,
  ...[values]: Needs<A, N>
): Finding {
  return { state: 'broken', about, next, values: values ?? {} };
}

export function sayFinding({ state, about, next, values }: Finding, { find }: Texts): SaidFinding {
  const say = (key: MessageKey): string => find(key, values) ?? key;
  return { state, about: say(about), ...(next === null ? {} : { next: say(next) }) };
}

/** A check that cannot be carried out is a finding too. */
export async function attempt(
  check: () => Promise<Finding[]>,
  failed: (reason: string) => Finding,
): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [failed(reasonOf(error))];
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
