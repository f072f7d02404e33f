// `kanbase config`: every setting, what it means, its value and where that came from. Secrets stay masked.

import { type Config, settings } from '../config/config.ts';
import { flagName } from '../config/read-config.ts';
import type { Setting } from '../config/setting.ts';
import type { Call, Command } from './command.ts';

export const configCommand: Command = {
  name: 'config',
  summary: 'List every setting: name, meaning, default, current value and where it comes from.',
  flags: [
    { name: 'json', meaning: 'As JSON.' },
    { name: 'markdown', meaning: 'As the table of docs/configuration.md, without current values.' },
  ],
  run: runConfig,
};

export interface SettingRow {
  readonly room: string;
  readonly name: string;
  readonly flag: string;
  readonly meaning: string;
  readonly default: string;
  readonly value: string;
  readonly source: string;
}

async function runConfig(call: Call): Promise<number> {
  const rows = listSettings(call.config, call.sources);
  if (call.flags.has('json')) call.say(JSON.stringify(rows, null, 2));
  else if (call.flags.has('markdown')) call.say(settingsMarkdown(rows));
  else
    for (const row of rows)
      call.say(
        `${row.name}\n    ${row.meaning}\n    default: ${row.default || 'none'}\n    now: ${row.value || 'none'} (${row.source})`,
      );
  return 0;
}

export function listSettings(config: Config, sources: Call['sources']): SettingRow[] {
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
        value: source === 'default' ? fallback : setting.secret ? '(set, not shown)' : plain(values[name]),
        source,
      };
    }),
  );
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join(',') : String(value);
}

export function settingsMarkdown(rows: readonly SettingRow[]): string {
  const lines = [
    '# Settings',
    '',
    'Written by `npm run generate` from the declarations in `server/config/`. Each is an environment variable, a line in `.env`, and a flag:',
    '`DATA_DIR` is `--data-dir`. Flags win over the environment, the environment wins over `.env`. `kanbase config` shows what is in force.',
  ];
  for (const room of new Set(rows.map((row) => row.room))) {
    lines.push('', `## ${room}`, '', '| name | meaning | default |', '|---|---|---|');
    for (const row of rows.filter((one) => one.room === room))
      lines.push(`| \`${row.name}\` | ${cell(row.meaning)} | ${cell(row.default)} |`);
  }
  return lines.join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
