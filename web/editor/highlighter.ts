// Highlights code in the languages that tasks are about. Fetched with the first block of code.

import highlight from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly kind: 'word' | 'text' | 'number' | 'name' | 'quiet';
}

const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(languages)) highlight.registerLanguage(name, language);

const kinds: readonly [RegExp, Stretch['kind']][] = [
  [/comment|quote|meta/, 'quiet'],
  [/string|regexp|addition|char/, 'text'],
  [/number|literal|symbol|bullet/, 'number'],
  [/keyword|built_in|type|selector-tag|section|deletion|(?:^|-)tag|name/, 'word'],
  [/title|attr|variable|property|function|params/, 'name'],
];

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** Nothing for a language it does not know. */
export function stretchesOf(code: string, language: string): Stretch[] {
  if (highlight.getLanguage(language) === undefined) return [];
  const { value } = highlight.highlight(code, { language, ignoreIllegals: true });
  const found: Stretch[] = [];
  const open: string[] = [];
  let at = 0;
  // What the library writes is text and spans, nothing else: read as such, it never becomes HTML here.
  for (const [piece, kind, sign] of value.matchAll(/<span class="([^"]*)">|<\/span>|&(\w+|#x27);|[^<&]+/g)) {
    if (kind !== undefined) open.push(kind.replaceAll('hljs-', ''));
    else if (piece === '</span>') open.pop();
    else {
      const length = sign === undefined ? piece.length : (signs[sign]?.length ?? piece.length);
      const around = open.findLast((one) => one !== 'subst' && !one.startsWith('language-'));
      const look = around === undefined ? undefined : kinds.find(([pattern]) => pattern.test(around))?.[1];
      const last = found.at(-1);
      if (look !== undefined && last?.kind === look && last.to === at)
        found[found.length - 1] = { ...last, to: at + length };
      else if (look !== undefined) found.push({ from: at, to: at + length, kind: look });
      at += length;
    }
  }
  return found;
}
