// Root directory of the package: migrations, pages and version are found from there, bundled or from source.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export function packageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'package.json')) || !existsSync(join(directory, 'sql'))) {
    const above = dirname(directory);
    if (above === directory) throw new Error('The sql/ directory of Kanbase is missing: install the package again');
    directory = above;
  }
  return directory;
}

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string };
  return version;
}
