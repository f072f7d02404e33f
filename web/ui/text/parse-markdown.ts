// Markdown to HTML in which nothing that somebody typed is HTML. What it makes is cleaned once more before it is shown.

import { type Lexer, Marked, type MarkedOptions } from 'marked';
import { lexBounded } from './bounded-lexer.ts';

/** Text as it was typed. */
const literal = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** Names that are set off after an @, where they stand in words: not in code, nor inside an address. */
let mentioned: RegExp | null = null;

/** Something with an address of its own in this app, named in a text by these words. */
export interface NamedPlace {
  readonly words: string;
  readonly href: string;
  /** What it is shown as. */
  readonly label: string;
}

/** Places that words stand for. */
let places: ReadonlyMap<string, NamedPlace> = new Map();
let placed: RegExp | null = null;

const chip = ({ words, href, label }: NamedPlace): string =>
  `<a href="${quoted(href)}" data-place="${quoted(words)}">${literal(label)}</a>`;
const quoted = (text: string): string => literal(text).replace(/"/g, '&quot;');

const picture = /^(?:https:|data:image\/|attachment:|\/(?!\/))/i;

/** Milliseconds that all texts of a page may take together; a fifth of the time that passes is added. Each gets the least in any case. */
const pageTime = 3_000;
const leastTime = 30;
const page = { left: pageTime, at: 0 };

const lex: typeof Lexer.lexInline = (text, options) => {
  const start = performance.now();
  page.left = Math.min(pageTime, page.left + (start - page.at) / 5);
  page.at = start;
  try {
    return lexBounded(text, options as MarkedOptions, Math.max(leastTime, page.left));
  } finally {
    page.left -= performance.now() - start;
  }
};

const marked = new Marked({
  gfm: true,
  breaks: true,
  hooks: { provideLexer: () => lex },
  // Nobody's page is built by what someone else wrote.
  renderer: {
    html: ({ text }) => literal(text),
    // A heading of these words is none of the page's.
    heading({ tokens, depth }) {
      const level = Math.min(depth + 3, 6);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    code({ text, lang = '' }) {
      const [language = ''] = /^[\w+#-]*/.exec(lang) ?? [];
      return `<pre><code${language === '' ? '' : ` data-language="${quoted(language)}"`}>${literal(text)}\n</code></pre>\n`;
    },
    // An address of this app that stands for itself is what it leads to.
    link: ({ href, raw }) => {
      const place = raw === href || raw === `<${href}>` ? places.get(href) : undefined;
      return place ? chip(place) : false;
    },
    // What the page's content policy would block is shown as its text.
    image: ({ href, text }) => (picture.test(href) ? false : literal(text)),
  },
  // After an inline <script> marked takes what follows for raw HTML, and leaves even attributes as they were typed. No
  // HTML of anybody's is passed on here, so everything is text, and is escaped before the sanitiser sees it.
  walkTokens: (token) => {
    if (token.type === 'text') token.escaped = false;
  },
  extensions: [
    {
      name: 'mention',
      level: 'inline',
      start: (rest) => (mentioned === null ? undefined : /(?<![\p{L}\p{N}])@/u.exec(rest)?.index),
      tokenizer(rest, before) {
        const [raw] = /[\p{L}\p{N}]$/u.test(before.at(-1)?.raw ?? '') ? [] : (mentioned?.exec(rest) ?? []);
        return raw === undefined ? undefined : { type: 'mention', raw };
      },
      renderer: ({ raw }) => `<strong>${literal(raw)}</strong>`,
    },
    {
      name: 'place',
      level: 'inline',
      start: (rest) => (placed === null ? undefined : /(?<![\p{L}\p{N}_/-])[A-Z][A-Z0-9]{1,5}-\d/u.exec(rest)?.index),
      tokenizer(rest, before) {
        const [raw] = /[\p{L}\p{N}_/-]$/u.test(before.at(-1)?.raw ?? '') ? [] : (placed?.exec(rest) ?? []);
        return raw === undefined ? undefined : { type: 'place', raw };
      },
      renderer(token) {
        const place = places.get(token.raw);
        // Within a link it stays what it says.
        return place === undefined ? literal(token.raw) : chip(place);
      },
    },
  ],
});

/** `mentions`: names that, after an @, are set off; `named`: what words and addresses of this app stand for. Throws MarkdownOverrun. */
export function parseMarkdown(
  text: string,
  mentions: readonly string[] = [],
  named: readonly NamedPlace[] = [],
): string {
  places = new Map(named.map((place) => [place.words, place]));
  const keys = named.map(({ words }) => words).filter((words) => !words.includes('/'));
  placed = keys.length === 0 ? null : new RegExp(`^(?:${keys.map(escapePattern).join('|')})(?![\\p{L}\\p{N}_-])`, 'u');
  const longest = [...mentions].filter(Boolean).sort((one, other) => other.length - one.length);
  mentioned =
    longest.length === 0 ? null : new RegExp(`^@(${longest.map(escapePattern).join('|')})(?![\\p{L}\\p{N}])`, 'iu');
  return marked.parse(text, { async: false });
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
