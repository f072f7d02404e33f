// Writes names of emoji for the picker of reactions: node scripts/write-emoji.mjs <folder of an unpacked emojibase-data>

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = ''] = process.argv.slice(2);
/** Newer ones are boxes on many devices. */
const newest = 15.1;
/** Skin tones and hair, which are no signs of their own. */
const parts = 2;
/** A sign that is a picture by itself is not told so again: the same reaction would be another one. */
const plain = (emoji) => emoji.replaceAll(/(\p{Emoji_Presentation})\uFE0F/gu, '$1');

for (const language of ['en', 'de', 'fr']) {
  const all = JSON.parse(readFileSync(join(folder, language, 'data.json'), 'utf8'));
  const known = all.filter(({ group, version }) => version <= newest && group !== undefined && group !== parts);
  known.sort((one, other) => one.order - other.order);
  const names = Object.fromEntries(
    known.map(({ emoji, label, tags = [] }) => [plain(emoji), `${label.replaceAll(';', ',')};${tags.join(' ')}`]),
  );
  writeFileSync(join('web/screens/task/emoji', `${language}.json`), `${JSON.stringify(names, null, 2)}\n`);
}
