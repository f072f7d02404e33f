// Markdown as people write it, made safe: parsed by marked, cleaned by DOMPurify, links opened apart.

import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { memo, useMemo } from 'react';
import { words } from '../strings/words.ts';
import './markdown.css';

/** Text as it was typed. */
const literal = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** Names that are set off after an @, where they stand in words: not in code, nor inside an address. */
let mentioned: RegExp | null = null;

const picture = /^(?:https:|data:image\/|\/(?!\/))/i;

const marked = new Marked({
  gfm: true,
  breaks: true,
  // Nobody's page is built by what someone else wrote.
  renderer: {
    html: ({ text }) => literal(text),
    // A heading of these words is none of the page's.
    heading({ tokens, depth }) {
      const level = Math.min(depth + 3, 6);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    // What the page's content policy would block is told by its words.
    image: ({ href, text }) => (picture.test(href) ? false : literal(text)),
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
  ],
});
const purifier = DOMPurify();

purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') {
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer nofollow ugc');
  }
  if (node.tagName === 'IMG') {
    node.setAttribute('loading', 'lazy');
    node.setAttribute('referrerpolicy', 'no-referrer');
  }
  if (node.tagName === 'INPUT') {
    node.setAttribute('disabled', '');
    node.setAttribute('aria-label', node.hasAttribute('checked') ? words.common.ticked : words.common.unticked);
  }
});

const allowed = {
  ALLOWED_TAGS: [
    'p',
    'br',
    'hr',
    'strong',
    'em',
    'del',
    'code',
    'pre',
    'blockquote',
    'ul',
    'ol',
    'li',
    'a',
    'img',
    'input',
    'h4',
    'h5',
    'h6',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
  ],
  ALLOWED_ATTR: ['href', 'src', 'alt', 'title', 'start', 'type', 'checked', 'align'],
  // Values that are no addresses.
  ADD_URI_SAFE_ATTR: ['type', 'start', 'align'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/(?!\/)|#)/i,
};

/** `mentions`: names that, after an @, are set off. */
export function renderMarkdown(text: string, mentions: readonly string[] = []): string {
  const longest = [...mentions].filter(Boolean).sort((one, other) => other.length - one.length);
  mentioned =
    longest.length === 0 ? null : new RegExp(`^@(${longest.map(escapePattern).join('|')})(?![\\p{L}\\p{N}])`, 'iu');
  return purifier.sanitize(marked.parse(text, { async: false }), allowed);
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

export const Markdown = memo(function Markdown({ text, mentions }: { text: string; mentions?: string }) {
  const html = useMemo(
    () => renderMarkdown(text, mentions ? (JSON.parse(mentions) as string[]) : []),
    [text, mentions],
  );
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned by DOMPurify just above
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
});
