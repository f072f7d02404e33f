// A setting is declared once: its environment name, its meaning in words, how it is read, its default.
// `kanbase config`, the docs, the flags and the typed `Config` all come from that declaration.

export interface Setting<T> {
  readonly env: string;
  /** One sentence for a person who runs the service. */
  readonly meaning: string;
  /** Text to value; throws an Error whose message names what is accepted. */
  readonly read: (text: string) => T;
  readonly fallback: T;
  /** How the default is described when it is not a plain value ("generated on first start"). */
  readonly fallbackText?: string;
  /** Never printed. */
  readonly secret?: boolean;
}

export type Settings = Readonly<Record<string, Setting<unknown>>>;
export type ValuesOf<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

interface Words<T> {
  readonly meaning: string;
  readonly fallback: T;
  readonly fallbackText?: string;
  readonly secret?: boolean;
}

export function text(env: string, words: Words<string>): Setting<string> {
  return { env, ...words, read: (value) => value };
}

/** Absent is null. */
export function optionalText(env: string, words: Omit<Words<null>, 'fallback'>): Setting<string | null> {
  return { env, ...words, fallback: null, read: (value) => (value === '' ? null : value) };
}

export function flag(env: string, words: Words<boolean>): Setting<boolean> {
  return { env, ...words, read: readFlag };
}

/** On, off, or decided by the service when nobody says. */
export function optionalFlag(env: string, words: Omit<Words<null>, 'fallback'>): Setting<boolean | null> {
  return { env, ...words, fallback: null, read: readFlag };
}

function readFlag(value: string): boolean {
  if (/^(true|on|yes|1)$/i.test(value)) return true;
  if (/^(false|off|no|0)$/i.test(value)) return false;
  throw new Error('true or false');
}

export function whole(env: string, range: { min: number; max: number }, words: Words<number>): Setting<number> {
  return {
    env,
    ...words,
    read: (value) => {
      const number = Number(value);
      if (!/^-?\d+$/.test(value.trim()) || number < range.min || number > range.max)
        throw new Error(`a whole number from ${range.min} to ${range.max}`);
      return number;
    },
  };
}

export function list(env: string, words: Words<readonly string[]>): Setting<readonly string[]> {
  return {
    env,
    ...words,
    read: (value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
  };
}

export function choice<const T extends string>(env: string, accepted: readonly T[], words: Words<T>): Setting<T> {
  return {
    env,
    ...words,
    read: (value) => {
      const found = accepted.find((one) => one === value);
      if (found === undefined) throw new Error(`one of ${accepted.join(', ')}`);
      return found;
    },
  };
}
