// Reads what another app shares into a task: the title is one line, the description has the rest. Apps fill the three parts in differently:
// most browsers put the link into the text, others share a text alone.

import { excessCharacters, titleLength } from '../../commands.ts';

export interface Shared {
  readonly title: string;
  readonly description: string;
}

/** `part` answers the parts by their names in the manifest: title, text, url. */
export function readShared(part: (name: string) => string | null): Shared {
  // Forms end their lines as on a typewriter.
  const read = (name: string): string => part(name)?.replaceAll(/\r\n?/g, '\n').trim() ?? '';
  const [named = '', text = '', link = ''] = ['title', 'text', 'url'].map(read);
  const [first = ''] = text.split(/\n+/);
  const line = (named || first || link).replace(/\s+/g, ' ');
  const isTooLong = excessCharacters(line, titleLength) > 0;
  const title = isTooLong ? `${[...line].slice(0, titleLength - 1).join('')}…` : line;
  const rest = [isTooLong ? named : '', text, text.includes(link) ? '' : link];
  return { title, description: rest.filter((one) => one !== '' && one !== title).join('\n\n') };
}
