// Markdown made safe: parsed, cleaned by DOMPurify, links open in a tab of their own. `attachment:<id>` has no address yet: the
// component that shows the text sets it by `data-attachment`. A text that can't be formatted is shown as typed.

import DOMPurify from 'dompurify';
import { memo, useMemo } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './markdown.module.css';
import { type NamedPlace, parseMarkdown } from './parse-markdown.ts';

const purifier = DOMPurify();

const attachment = /^attachment:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

purifier.addHook('beforeSanitizeAttributes', (node) => {
  if (node.tagName !== 'IMG' && node.tagName !== 'A') return;
  const address = node.tagName === 'IMG' ? 'src' : 'href';
  const [, id] = attachment.exec(node.getAttribute(address) ?? '') ?? [];
  if (id === undefined) return;
  node.removeAttribute(address);
  node.setAttribute('data-attachment', id.toLowerCase());
});

purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.hasAttribute('data-attachment')) {
    node.setAttribute('role', 'button');
    node.setAttribute('tabindex', '0');
    return;
  }
  // Within the app.
  if (node.hasAttribute('data-place')) return;
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
    node.setAttribute('aria-label', node.hasAttribute('checked') ? t('common.kinds.done') : t('common.unticked'));
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

/** `mentions`: names that, after an @, are set off; `named`: what words and addresses of this app stand for. */
export function renderMarkdown(
  text: string,
  mentions: readonly string[] = [],
  named: readonly NamedPlace[] = [],
): string {
  return purifier.sanitize(parseMarkdown(text, mentions, named), allowed);
}

interface Props {
  readonly text: string;
  readonly mentions?: readonly string[];
  readonly places?: readonly NamedPlace[];
}

/** Drawn anew for another text or another list: who gives it an equal list gives it the same one. */
export const Markdown = memo(function Markdown({ text, mentions, places }: Props) {
  const html = useMemo(() => {
    try {
      return renderMarkdown(text, mentions, places);
    } catch {
      return null;
    }
  }, [text, mentions, places]);
  if (html === null)
    return (
      <div className={styles.markdown} data-plain="">
        <p className={shapes.quietS}>{t('common.plainText')}</p>
        <div className={styles.source}>{text}</div>
      </div>
    );
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned by DOMPurify just above
  return <div className={styles.markdown} dangerouslySetInnerHTML={{ __html: html }} />;
});
