// Writes what an email says, by its kind and in the recipient's language. An unknown kind is a notice: its own subject, heading, lines and
// button.

import { type Texts, textsIn } from '../texts/texts.ts';
import type { MailContent, MailData } from './mail-content.ts';
import { type MailKind, mailKinds, writeKind } from './mail-kinds.ts';
import { writeDailySummary, writeNotification } from './notification-mails.ts';

/** As the mail was queued, or else as the account it is about has chosen; English where neither says. */
export function mailTexts(data: MailData): Texts {
  return textsIn(data.text('language') || data.object('data')?.text('language'));
}

export function writeMail(kind: string, data: MailData, product: string): MailContent {
  const texts = mailTexts(data);
  if (kind === 'notification') return writeNotification(data, product, texts);
  if (kind === 'daily_summary') return writeDailySummary(data, product, texts);
  if (Object.hasOwn(mailKinds, kind)) return writeKind(kind as MailKind, data, product, texts);
  return writeNotice(data, product, texts);
}

function writeNotice(data: MailData, product: string, { t }: Texts): MailContent {
  const action = data.object('action');
  const heading = data.text('heading') || data.text('subject') || t('mail.message', { product });
  return {
    subject: data.text('subject') || heading,
    heading,
    paragraphs: data.list('lines'),
    ...(action === null || action.text('url') === ''
      ? {}
      : { action: { label: action.text('label') || t('mail.goTo', { product }), url: action.text('url') } }),
  };
}
