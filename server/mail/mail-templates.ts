// Chooses the template of an email by its kind and the recipient's language. An unknown kind is a notice: its own subject, heading, lines
// and button.

import { englishMails, type MailTexts, type Write } from './english-mails.ts';
import { germanMails } from './german-mails.ts';
import type { MailContent, MailData } from './mail-content.ts';
import { writeDailySummary, writeNotification } from './notification-mails.ts';

const languages: Readonly<Record<string, MailTexts>> = { en: englishMails, de: germanMails };

/** What the mail was queued with, or else the account it is about; English where neither has chosen. */
export function mailLanguage(data: MailData): string {
  const wanted = data.text('language') || (data.object('data')?.text('language') ?? '');
  return Object.hasOwn(languages, wanted) ? wanted : 'en';
}

export function mailTexts(language: string): MailTexts {
  return languages[language] ?? englishMails;
}

export function writeMail(kind: string, data: MailData, product: string): MailContent {
  const language = mailLanguage(data);
  if (kind === 'notification') return writeNotification(data, product, language);
  if (kind === 'daily_summary') return writeDailySummary(data, product, language);
  const { mails } = mailTexts(language);
  const write: Write = Object.hasOwn(mails, kind) ? mails[kind as keyof typeof mails] : notice;
  return write(data, product);
}

const notice: Write = (data, product) => {
  const say = mailTexts(mailLanguage(data));
  const action = data.object('action');
  const heading = data.text('heading') || data.text('subject') || say.message(product);
  return {
    subject: data.text('subject') || heading,
    heading,
    paragraphs: data.list('lines'),
    ...(action === null || action.text('url') === ''
      ? {}
      : { action: { label: action.text('label') || say.goTo(product), url: action.text('url') } }),
  };
};
