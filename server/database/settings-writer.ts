// Sets the caller's settings of a transaction in one statement that returns no row. `case` evaluates its conditions in order; each sets one
// setting, whose value is never null, so the last is reached, and is false.

import type { Config } from '../config/config.ts';
import { replicaAnswers } from './moved-primary.ts';
import type { ShapeCache } from './shape-cache.ts';
import type { Caller, RunOptions, Value } from './types.ts';
import type { Shape, Step } from './wire/exchange.ts';

export class SettingsWriter {
  readonly #shapes: ShapeCache;
  readonly #timeouts: ReadonlyMap<string, number>;
  readonly #plain: Shape;
  readonly #reading: Shape;
  readonly #readingReplica: Shape;
  readonly #texts = new Map<string, Shape>();

  constructor(config: Config['database'], shapes: ShapeCache) {
    this.#shapes = shapes;
    this.#timeouts = new Map([
      ['anon', config.anonTimeoutMs],
      ['authenticated', config.authenticatedTimeoutMs],
      ['task_guest', config.authenticatedTimeoutMs],
      ['program', config.authenticatedTimeoutMs],
      ['share_link', config.anonTimeoutMs],
    ]);
    this.#plain = shapes.of('', textFor('w', []));
    this.#reading = shapes.of('', textFor('r', []));
    this.#readingReplica = shapes.of('', textFor('replica', []));
  }

  /** Milliseconds a statement of this caller may take; 0: as long as it likes. */
  limitFor(caller: Caller, options: RunOptions | undefined): number {
    return options?.timeoutMs ?? this.#timeouts.get(caller.role) ?? 0;
  }

  write(caller: Caller, options: RunOptions | undefined, toReplica = false): Step {
    const timeout = String(this.limitFor(caller, options));
    const kind = options?.readOnly !== true ? 'w' : toReplica ? 'replica' : 'r';
    const further = options?.settings;
    if (further === undefined || further.length === 0) {
      const shape = { w: this.#plain, r: this.#reading, replica: this.#readingReplica }[kind];
      return {
        shape,
        statement: { text: shape.text, values: [timeout, caller.claims, caller.role] },
        caller,
      };
    }
    const values: Value[] = [timeout, caller.claims, caller.role];
    let key: string = kind;
    for (let index = 0; index < further.length; index++) {
      const [name, value] = further[index] as readonly [string, string];
      key += `,${name}`;
      values.push(value);
    }
    let shape = this.#texts.get(key);
    if (shape === undefined) {
      shape = this.#shapes.of(
        '',
        textFor(
          kind,
          further.map(([name]) => name),
        ),
      );
      // Names are constants of the callers, so this stays small.
      this.#texts.set(key, shape);
    }
    return { shape, statement: { text: shape.text, values }, caller };
  }
}

/** It writes, reads from the primary, or from a replica. */
type Kind = 'w' | 'r' | 'replica';

/**
 * Behind a pooler or a balancer the way to the primary may lead to what was it a moment ago. Writes are refused there, and so are reads: they would
 * show less than was acknowledged since.
 */
const isPrimary = `(case when pg_is_in_recovery() then '${replicaAnswers}' else 'true' end)::boolean`;

/** The role comes last: what stands before it is set with the rights of the login. */
function textFor(kind: Kind, names: readonly string[]): string {
  const first = [
    "set_config('statement_timeout', $1, true)",
    "set_config('request.jwt.claims', $2, true)",
    ...names.map((name, index) => `set_config(${quote(name)}, $${index + 4}, true)`),
    ...(kind === 'w' ? [] : ["set_config('transaction_read_only', 'on', true)"]),
    ...(kind === 'r' ? [isPrimary] : []),
  ];
  const whens = first.map((setting) => ` when ${setting} is null then false`).join('');
  return `select where case${whens} else set_config('role', $3, true) is null end`;
}

function quote(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}
