// A block of code from a guide, as a reader would copy it.

import { readFileSync } from 'node:fs';

/** The first block of that language in `docs/<guide>.md` that contains the words. */
export function guideBlock(guide: string, language: string, words: string): string {
  const text = readFileSync(`docs/${guide}.md`, 'utf8');
  for (const [, block = ''] of text.matchAll(new RegExp(`^\`\`\`${language}(?: .*)?\\n([\\s\\S]*?)^\`\`\`$`, 'gm')))
    if (block.includes(words)) return block;
  throw new Error(`docs/${guide}.md has no ${language} block with ${JSON.stringify(words)}`);
}

/** The same with something put in place of what a reader has to fill in; it must be there. */
export function filledIn(block: string, values: Readonly<Record<string, string>>): string {
  let filled = block;
  for (const [from, to] of Object.entries(values)) {
    if (!filled.includes(from)) throw new Error(`The block does not contain ${JSON.stringify(from)}:\n${block}`);
    filled = filled.replaceAll(from, to);
  }
  return filled;
}
