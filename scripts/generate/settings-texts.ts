// web/strings/en/settings.json, from the declarations in server/config/: the meaning of each setting, and its default where
// that is words: those that several settings have stand with the first.

import { settings } from '../../server/config/config.ts';
import type { Setting } from '../../server/config/setting.ts';

export function settingsTexts(): string {
  const all = Object.values(settings).flatMap((room) =>
    Object.values(room as Readonly<Record<string, Setting<unknown>>>),
  );
  const meaning = all.map(({ env, meaning }) => [env, quoted(meaning)]);
  const firstWith = new Map<string, string>();
  const defaults = all.flatMap(({ env, fallbackText: text }) => {
    if (!isWords(text)) return [];
    const first = firstWith.get(text);
    firstWith.set(text, first ?? env);
    return [[env, first === undefined ? quoted(text) : `@:setting.default.${first}`]];
  });
  const texts = { setting: { meaning: Object.fromEntries(meaning), default: Object.fromEntries(defaults) } };
  return `${JSON.stringify(texts, null, 2)}\n`;
}

/** Not an address, nor the name of another setting. */
const isWords = (text: string | undefined): text is string => text !== undefined && !/^(https?:|[A-Z_]+$)/.test(text);

/** As an ICU message, in which braces and angle brackets mean something. */
const quoted = (text: string): string => text.replaceAll("'", "''").replaceAll(/[{}<>]/g, "'$&'");
