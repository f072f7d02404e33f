// Turns flags, environment variables and an optional .env file into one typed `Config`, checked once at start.
// Flags win over the environment, the environment wins over .env. Secrets that nobody set come later: `generated-secrets.ts`.

import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Config, settings } from './config.ts';
import type { Setting } from './setting.ts';

export type Source = 'flag' | 'environment' | '.env' | 'admin page' | 'default';

export interface ReadConfig {
  readonly config: Config;
  /** Environment name → where its value came from. */
  readonly sources: ReadonlyMap<string, Source>;
}

/** A setting that cannot be used: one line that names it and what is accepted. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

export interface ConfigInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Text of an .env file, if there is one. */
  readonly envFile?: string | null;
  /** Values given as flags, by environment name. */
  readonly flags?: Readonly<Record<string, string>>;
}

export function readConfig(input: ConfigInput): ReadConfig {
  const file: Record<string, string | undefined> = input.envFile ? parseEnv(input.envFile) : {};
  const sources = new Map<string, Source>();
  const rooms: Record<string, Record<string, unknown>> = {};
  for (const [room, roomSettings] of Object.entries(settings)) {
    const values: Record<string, unknown> = {};
    for (const [name, setting] of Object.entries(roomSettings as Record<string, Setting<unknown>>)) {
      const found = find(setting, input, file);
      sources.set(setting.env, found?.source ?? 'default');
      values[name] = found === null ? setting.fallback : readValue(setting, found);
    }
    rooms[room] = values;
  }
  return { config: rooms as unknown as Config, sources };
}

interface Found {
  readonly text: string;
  readonly source: Exclude<Source, 'default' | 'admin page'>;
}

/** DATABASE_URL_FILE names a file that has the value: what is given to a process as text is seen by others of the machine. */
export const fileEnding = '_FILE';

function find(setting: Setting<unknown>, input: ConfigInput, file: Record<string, string | undefined>): Found | null {
  const places = [
    [input.flags ?? {}, 'flag'],
    [input.env, 'environment'],
    [file, '.env'],
  ] as const;
  for (const [place, source] of places) {
    const text = place[setting.env];
    // An empty variable counts as unset, as compose files and CI systems produce them; an empty flag does not.
    if (text !== undefined && (text !== '' || source === 'flag')) return { text, source };
    const path = setting.secret ? place[`${setting.env}${fileEnding}`] : undefined;
    if (path !== undefined && path !== '') return { text: secretIn(path, `${setting.env}${fileEnding}`), source };
  }
  return null;
}

/** As editors and `echo` write it, with the end of a line behind it. */
function secretIn(path: string, env: string): string {
  const text = readEnvFile(path)?.replace(/\r?\n$/, '') ?? null;
  if (text === null) throw new ConfigError(`${env}: there is no file ${path}`);
  if (text.trim() === '') throw new ConfigError(`${env}: the file ${path} is empty`);
  return text;
}

function readValue(setting: Setting<unknown>, found: Found): unknown {
  try {
    return setting.read(found.text);
  } catch (error) {
    const given = setting.secret ? '' : `, not ${JSON.stringify(found.text)}`;
    const name = found.source === 'flag' ? flagName(setting.env) : setting.env;
    const place = found.source === '.env' ? ' (in .env)' : '';
    throw new ConfigError(`${name}${place} must be ${(error as Error).message}${given}`);
  }
}

/** DATA_DIR is --data-dir on the command line. */
export function flagName(env: string): string {
  return `--${env.toLowerCase().replaceAll('_', '-')}`;
}

/** The text of a file, or null when there is none. */
export function readEnvFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}`);
  }
}
