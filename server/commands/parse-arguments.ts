// Command line → flags. Every setting is a flag (`--data-dir` for DATA_DIR); commands add their own.

import { settings } from '../config/config.ts';
import { fileEnding, flagName } from '../config/read-config.ts';
import type { Setting } from '../config/setting.ts';
import { type Command, UsageError } from './command.ts';

export interface Parsed {
  /** By environment name. */
  readonly settings: Readonly<Record<string, string>>;
  readonly flags: ReadonlyMap<string, string>;
  readonly word: string | null;
  readonly envFile: string | null;
  readonly help: boolean;
}

export function allSettings(): Setting<unknown>[] {
  return Object.values(settings).flatMap((room) => Object.values(room) as Setting<unknown>[]);
}

export function parseArguments(command: Command, argv: readonly string[]): Parsed {
  const byFlag = new Map(allSettings().map((setting) => [flagName(setting.env), setting]));
  const inFiles = new Map(
    allSettings().flatMap(({ env, secret }) =>
      secret ? [[flagName(`${env}${fileEnding}`), `${env}${fileEnding}`] as const] : [],
    ),
  );
  const own = new Map((command.flags ?? []).map((flag) => [`--${flag.name}`, flag]));
  const given: Record<string, string> = {};
  const flags = new Map<string, string>();
  let word: string | null = null;
  let envFile: string | null = null;
  let help = false;

  const rest = [...argv];
  for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
    if (next === '--help' || next === '-h') {
      help = true;
      continue;
    }
    if (!next.startsWith('-') || (next === '-' && command.argument !== undefined)) {
      word = acceptWord(command, next, word);
      continue;
    }
    const [name = '', ...inline] = next.split('=');
    const attached = next.includes('=') ? inline.join('=') : null;
    const value = (kind: string): string => {
      const found = attached ?? rest.shift();
      if (found === undefined || (attached === null && found.startsWith('--')))
        throw new UsageError(`${name} needs a value: ${kind}`);
      return found;
    };
    const setting = byFlag.get(name);
    const flag = own.get(name);
    const inFile = inFiles.get(name);
    if (inFile !== undefined) given[inFile] = value('the path of a file that has it');
    else if (name === '--settings-file') envFile = value('the path of a file of settings');
    else if (setting !== undefined)
      given[setting.env] = isSwitch(setting, attached, rest[0]) ? 'true' : value(kindOf(setting));
    else if (flag === undefined)
      throw new UsageError(unknownFlag(command, name, [...own.keys(), ...byFlag.keys(), '--settings-file', '--help']));
    else if (flag.value !== undefined) flags.set(flag.name, value(flag.value));
    else if (attached !== null) throw new UsageError(`${name} takes no value`);
    else flags.set(flag.name, '');
  }
  return { settings: given, flags, word, envFile, help };
}

/** Secrets that stand on the command line, by their flags: everybody on the machine can read them there. */
export function secretsShown({ settings: given }: Parsed): string[] {
  return allSettings()
    .filter(({ env, secret }) => secret && given[env] !== undefined && isSecret(given[env] ?? ''))
    .map(({ env }) => env);
}

/** An address is one by its password alone. */
function isSecret(text: string): boolean {
  return (
    !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ||
    /^[a-z][a-z0-9+.-]*:\/\/[^\s/@]*:[^\s/@]+@/i.test(text) ||
    /[?&](ssl)?password=/.test(text)
  );
}

function acceptWord(command: Command, word: string, earlier: string | null): string {
  if (command.argument !== undefined && earlier === null) return word;
  const accepted = command.words?.map((one) => one.name) ?? [];
  if (accepted.length === 0 && command.argument === undefined)
    throw new UsageError(`"${word}" is one word too many: ${command.name} takes flags only`);
  if (earlier !== null) throw new UsageError(`"${word}" is one word too many after "${earlier}"`);
  if (!accepted.includes(word))
    throw new UsageError(`"${word}" is not known to ${command.name}: it takes ${accepted.join(' or ')}, or nothing`);
  return word;
}

/** `--production` alone means on. */
function isSwitch(setting: Setting<unknown>, attached: string | null, following: string | undefined): boolean {
  if (attached !== null || typeof setting.fallback !== 'boolean') return false;
  return following === undefined || !/^(true|false|on|off|yes|no|0|1)$/i.test(following);
}

function kindOf(setting: Setting<unknown>): string {
  return setting.meaning.replace(/\.$/, '');
}

function unknownFlag(command: Command, name: string, accepted: readonly string[]): string {
  const near = accepted
    .map((one) => ({ one, distance: distanceBetween(name, one) }))
    .sort((a, b) => a.distance - b.distance)[0];
  const guess = near !== undefined && near.distance <= 3 ? `; did you mean ${near.one}?` : '';
  const own = (command.flags ?? []).map((flag) => `--${flag.name}`);
  return `${name} is not a flag of ${command.name}${guess} Accepted: ${[...own, '--settings-file', '--help'].join(', ')} and every setting as a flag (npx kanbase config lists them)`.replace(
    /([^?]) Accepted/,
    '$1. Accepted',
  );
}

/** How many letters must change (Levenshtein). */
function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
