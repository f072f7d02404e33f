// Every setting as a row for people: its meaning, its value and where that came from. Of a secret only that it is set.

import { type Config, settings } from './config.ts';
import { flagName, type ReadConfig } from './read-config.ts';
import type { Setting } from './setting.ts';

export interface SettingRow {
  readonly room: string;
  readonly name: string;
  readonly flag: string;
  readonly meaning: string;
  readonly default: string;
  readonly isSecret: boolean;
  readonly value: string;
  readonly source: string;
}

export function listSettings(config: Config, sources: ReadConfig['sources']): SettingRow[] {
  return Object.entries(settings).flatMap(([room, roomSettings]) =>
    Object.entries(roomSettings as Record<string, Setting<unknown>>).map(([name, setting]) => {
      const values: Readonly<Record<string, unknown>> = config[room as keyof typeof settings];
      const source = sources.get(setting.env) ?? 'default';
      const fallback = setting.fallbackText ?? plain(setting.fallback);
      return {
        room,
        name: setting.env,
        flag: flagName(setting.env),
        meaning: setting.meaning,
        default: fallback,
        isSecret: setting.secret === true,
        value: source === 'default' ? fallback : setting.secret ? '(set, not shown)' : plain(values[name]),
        source,
      };
    }),
  );
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = Array.isArray(value) ? value.join(',') : String(value);
  // Somebody may have put a password into an address that is no secret by itself.
  return text.replaceAll(/\/\/[^/@\s]+@/g, '//…@');
}
