// Markdown as people write it, made safe: parsed by marked, cleaned by DOMPurify, links opened apart.

import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { memo, useMemo } from 'react';
import './markdown.css';

const marked = new Marked({
  gfm: true,
  breaks: true,
  // Raw HTML is shown as it was typed; nobody's page is built by what someone else wrote.
  renderer: { html: ({ text }) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;') },
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
  if (node.tagName === 'INPUT') node.setAttribute('disabled', '');
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
    'h1',
    'h2',
    'h3',
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
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/(?!\/)|#)/i,
};

/** `mentions`: names that, after an @, are set off. */
export function renderMarkdown(text: string, mentions: readonly string[] = []): string {
  const source = mentions.length > 0 ? markMentions(text, mentions) : text;
  return purifier.sanitize(marked.parse(source, { async: false }), allowed);
}

function markMentions(text: string, names: readonly string[]): string {
  const longest = [...names].filter(Boolean).sort((one, other) => other.length - one.length);
  const pattern = new RegExp(`@(${longest.map(escapePattern).join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return longest.length === 0 ? text : text.replace(pattern, '**@$1**');
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
