// Writes notification emails: one about a task, or a daily summary. Recipients and times are decided in
// sql/rules/notifications/emails.sql.

import type { Texts } from '../texts/texts.ts';
import type { MailContent, MailData, MailSection } from './mail-content.ts';
import { withoutMarkup } from './without-markup.ts';

/** About one task, or one project: mails about the same are one conversation to a mail program. */
export function writeNotification(data: MailData, product: string, texts: Texts): MailContent {
  const { t } = texts;
  const [part] = data.objects('parts');
  if (part === undefined) return { subject: product, heading: product, paragraphs: [] };
  const key = part.text('task_key');
  const project = part.text('project_name');
  const subject = key === '' ? t('mail.notification.project', { project }) : `${key} ${part.text('task_title')}`;
  const url = part.text('url');
  return {
    subject,
    heading: subject,
    paragraphs: [],
    sections: [{ lines: linesOf(part, texts) }],
    ...(url === '' ? {} : { action: { label: t('mail.notification.open', { name: key || project }), url } }),
    closing: t('mail.notification.closing', { product }),
    thread: part.text('task_id') || part.text('project_id'),
    unsubscribe: data.text('user_id'),
  };
}

export function writeDailySummary(data: MailData, product: string, texts: Texts): MailContent {
  const { t } = texts;
  const sections = data.objects('parts').map((part): MailSection => {
    const title =
      [part.text('task_key'), part.text('task_title')].filter(Boolean).join(' ') || part.text('project_name');
    const url = part.text('url');
    return { title, ...(url === '' ? {} : { url }), lines: linesOf(part, texts) };
  });
  return {
    subject: t('mail.notification.daily', { product }),
    heading: t('mail.notification.daily', { product }),
    paragraphs: [],
    sections,
    action: { label: t('mail.notification.open', { name: product }), url: '/app/inbox' },
    closing: t('mail.notification.closing', { product }),
    unsubscribe: data.text('user_id'),
  };
}

function linesOf(part: MailData, texts: Texts): MailSection['lines'] {
  const pictures = part.objects('pictures');
  return part.objects('entries').flatMap((entry, place) => {
    const values = {
      who: entry.text('actor_name') || texts.t('mail.someone'),
      from: entry.text('from'),
      to: entry.text('to'),
      count: Number(entry.text('count')),
      day: texts.sayDay(entry.text('due_date')),
      project: part.text('project_name'),
    };
    const words = [entry.text('kind'), ...entry.list('also')]
      .flatMap((kind) => texts.find(`mail.notification.event.${eventOf(kind, entry)}`, values) ?? [])
      .join(' ');
    const quote = withoutMarkup(entry.text('excerpt'));
    const shown = pictures.filter((one) => one.text('entry') === String(place)).map((one) => one.text('id'));
    return words === '' ? [] : [{ words, ...(quote === '' ? {} : { quote }), pictures: shown }];
  });
}

/** A comment may answer one of theirs, and several tasks may have moved. */
function eventOf(kind: string, entry: MailData): string {
  if (kind === 'commented' && entry.text('answers_id') !== '') return 'answered';
  if (kind === 'state_changed' && entry.text('count') !== '') return 'tasks_moved';
  return kind;
}
