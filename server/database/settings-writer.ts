// Who asks, as settings of the transaction, in one statement that sends no row back. `case` promises to look at its
// conditions one after the other; each sets one setting, whose value is never null, so the last is reached, and is false.

import type { Config } from '../config/config.ts';
import type { ShapeCache } from './shape-cache.ts';
import type { Caller, RunOptions, Value } from './types.ts';
import type { Shape, Step } from './wire/exchange.ts';

export class SettingsWriter {
  readonly #shapes: ShapeCache;
  readonly #timeouts: ReadonlyMap<string, number>;
  readonly #plain: Shape;
  readonly #reading: Shape;
  readonly #texts = new Map<string, Shape>();

  constructor(config: Config['database'], shapes: ShapeCache) {
    this.#shapes = shapes;
    this.#timeouts = new Map([
      ['anon', config.anonTimeoutMs],
      ['authenticated', config.authenticatedTimeoutMs],
    ]);
    this.#plain = shapes.of('', textFor(false, []));
    this.#reading = shapes.of('', textFor(true, []));
  }

  /** Milliseconds a statement of this caller may take; 0: as long as it likes. */
  limitFor(caller: Caller, options: RunOptions | undefined): number {
    return options?.timeoutMs ?? this.#timeouts.get(caller.role) ?? 0;
  }

  write(caller: Caller, options: RunOptions | undefined): Step {
    const timeout = String(this.limitFor(caller, options));
    const readOnly = options?.readOnly === true;
    const further = options?.settings;
    if (further === undefined || further.length === 0) {
      const shape = readOnly ? this.#reading : this.#plain;
      return {
        shape,
        statement: { text: shape.text, values: [timeout, caller.claims, caller.role] },
        caller,
      };
    }
    const values: Value[] = [timeout, caller.claims, caller.role];
    let key = readOnly ? 'r' : 'w';
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
          readOnly,
          further.map(([name]) => name),
        ),
      );
      // Names are constants of the callers, so this stays small.
      this.#texts.set(key, shape);
    }
    return { shape, statement: { text: shape.text, values }, caller };
  }
}

/** The role comes last: what stands before it is set with the rights of the login. */
function textFor(readOnly: boolean, names: readonly string[]): string {
  const first = [
    "set_config('statement_timeout', $1, true)",
    "set_config('request.jwt.claims', $2, true)",
    ...names.map((name, index) => `set_config(${quote(name)}, $${index + 4}, true)`),
    ...(readOnly ? ["set_config('transaction_read_only', 'on', true)"] : []),
  ];
  const whens = first.map((setting) => ` when ${setting} is null then false`).join('');
  return `select where case${whens} else set_config('role', $3, true) is null end`;
}

function quote(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}
