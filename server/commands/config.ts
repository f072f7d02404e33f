// `kanbase config`: every setting, what it means, its value and where that came from. Secrets stay masked.

import { listSettings, type SettingRow } from '../config/list-settings.ts';
import type { Call, Command } from './command.ts';
import { allSettings } from './parse-arguments.ts';

export const configCommand: Command = {
  name: 'config',
  summary: 'List every setting: name, meaning, default, current value and where it comes from.',
  flags: [
    { name: 'json', meaning: 'As JSON.' },
    { name: 'markdown', meaning: 'As docs/configuration.md, without current values.' },
  ],
  run: runConfig,
};

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

const inFiles = allSettings()
  .filter(({ secret }) => secret)
  .map(({ env }) => `\`${env}_FILE\``);

const defaultsInWords = new Set(allSettings().flatMap(({ env, fallbackText }) => (fallbackText ? [env] : [])));

export function settingsMarkdown(rows: readonly SettingRow[]): string {
  const lines = [
    '# Settings',
    '',
    'Written by `npm run generate` from `server/config/`. Each is an environment variable, a line in `.env`, or a flag: `DATA_DIR` is `--data-dir`.',
    'Flags win over the environment, the environment over `.env`; `npx kanbase config` shows what is in force. Behind `=` stands the default.',
    `A secret can be in a file, named by: ${inFiles.join(', ')}; as a flag \`--database-url-file\`.`,
  ];
  for (const room of new Set(rows.map((row) => row.room))) {
    lines.push('', `## ${room}`, '');
    for (const row of rows.filter((one) => one.room === room)) lines.push(settingLine(row));
  }
  return lines.join('\n');
}

function settingLine({ name, meaning, default: fallback }: SettingRow): string {
  if (fallback === '') return `- \`${name}\`: ${escaped(meaning)}`;
  if (defaultsInWords.has(name)) return `- \`${name}\`: ${escaped(`${meaning} Default: ${fallback}.`)}`;
  return `- \`${name}=${fallback}\`: ${escaped(meaning)}`;
}

function escaped(text: string): string {
  return text.replaceAll('*', '\\*').replaceAll('<', '&lt;');
}
