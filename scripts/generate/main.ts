// Writes the files of this repository that are made from something else, or with `--check` names the stale ones.

import { readFileSync, writeFileSync } from 'node:fs';
import { configurationMarkdown } from './configuration.ts';
import { errorCodes, errorsMarkdown } from './errors.ts';
import { fromDatabase } from './from-database.ts';
import { settingsTexts } from './settings-texts.ts';

const check = process.argv.includes('--check');
const files: Readonly<Record<string, string>> = {
  'docs/errors.md': errorsMarkdown(),
  'docs/configuration.md': configurationMarkdown(),
  'contract/error-codes.ts': errorCodes(),
  'web/strings/en/settings.json': settingsTexts(),
  ...(await fromDatabase()),
};

const stale = Object.entries(files).filter(([path, text]) => current(path) !== text);
for (const [path, text] of stale) {
  if (check) console.log(`stale: ${path}`);
  else {
    writeFileSync(path, text);
    console.log(`wrote ${path}`);
  }
}
if (stale.length === 0) console.log('Every generated file is fresh.');
else if (check) {
  console.log('Run `npm run generate` and commit what it writes.');
  process.exitCode = 1;
}

function current(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
