// Blocks of code of the guides, with what stands behind the language in the first line of each:
//   run                      test/docs/blocks.test.ts runs it as written
//   settings                 a file of settings, read by `kanbase config`
//   tested=test/…            that test runs it
//   unrun="needs Docker"     it is run by no test here, and why

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CodeBlock {
  /** `docs/run/backup.md:12` */
  readonly place: string;
  readonly page: string;
  readonly language: string;
  readonly mark: string;
  readonly text: string;
}

export const guides: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'sql/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join('docs', name)),
];

export function codeBlocks(): CodeBlock[] {
  return guides.flatMap((page) => {
    const source = readFileSync(page, 'utf8');
    return [...source.matchAll(/^ *```([a-z]+)(?: (.*))?\n([\s\S]*?)^ *```$/gm)].map((found) => {
      const [, language = '', mark = '', text = ''] = found;
      const line = source.slice(0, found.index).split('\n').length;
      return { place: `${page}:${line}`, page, language, mark, text };
    });
  });
}
