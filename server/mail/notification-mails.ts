// What happened to tasks, as mails: one about a task, or a summary of the day. The sentences of each language stand together below;
// who hears what and when is decided in sql/0753_notification_mail.sql.

import type { MailContent, MailData, MailSection } from './mail-content.ts';
import { withoutMarkup } from './without-markup.ts';

interface Sentences {
  readonly kinds: Readonly<Record<string, (entry: Entry) => string>>;
  readonly open: (what: string) => string;
  readonly daily: (product: string) => string;
  readonly news: (project: string) => string;
  readonly someone: string;
  readonly closing: (product: string) => string;
}

interface Entry {
  readonly who: string;
  readonly from: string;
  readonly to: string;
  readonly count: string;
  readonly day: string;
  readonly project: string;
  /** Whether a comment answers one of theirs. */
  readonly answers: boolean;
}

const english: Sentences = {
  kinds: {
    mentioned: ({ who }) => `${who} mentioned you.`,
    assigned: ({ who }) => `${who} assigned it to you.`,
    unassigned: ({ who }) => `${who} took you off it.`,
    commented: ({ who, answers }) => (answers ? `${who} answered your comment.` : `${who} commented.`),
    unblocked: () => 'Everything it waited for is done.',
    state_changed: ({ who, from, to, count }) =>
      count === '' ? `${who} moved it from ${from} to ${to}.` : `${who} moved ${count} tasks to ${to}.`,
    due_soon: ({ day }) => `It is due on ${day}.`,
    overdue: ({ day }) => `It was due on ${day}.`,
    added: ({ who, project }) => `${who} added you to the project ${project}.`,
    invited: ({ who, project }) => `${who} invited you to the project ${project}.`,
  },
  open: (what) => `Open ${what}`,
  daily: (product) => `Your day in ${product}`,
  news: (project) => `News of ${project}`,
  someone: 'Someone',
  closing: (product) =>
    `You get this because you watch it, work on it or were mentioned. What ${product} sends you is set in your account, under Notifications.`,
};

/** By language; who reads another one gets the first. */
const languages: Readonly<Record<string, Sentences>> = { en: english };

function sentencesOf(data: MailData): Sentences {
  return languages[data.text('language')] ?? english;
}

/** About one task, or one project: mails about the same are one conversation to a mail program. */
export function writeNotification(data: MailData, product: string): MailContent {
  const say = sentencesOf(data);
  const [part] = data.objects('parts');
  if (part === undefined) return { subject: product, heading: product, paragraphs: [] };
  const key = part.text('task_key');
  const project = part.text('project_name');
  const subject = key === '' ? say.news(project) : `${key} ${part.text('task_title')}`;
  const url = part.text('url');
  return {
    subject,
    heading: subject,
    paragraphs: [],
    sections: [{ lines: linesOf(part, say) }],
    ...(url === '' ? {} : { action: { label: say.open(key || project), url } }),
    closing: say.closing(product),
    thread: part.text('task_id') || part.text('project_id'),
    unsubscribe: data.text('user_id'),
  };
}

export function writeDailySummary(data: MailData, product: string): MailContent {
  const say = sentencesOf(data);
  const sections = data.objects('parts').map((part): MailSection => {
    const title =
      [part.text('task_key'), part.text('task_title')].filter(Boolean).join(' ') || part.text('project_name');
    const url = part.text('url');
    return { title, ...(url === '' ? {} : { url }), lines: linesOf(part, say) };
  });
  return {
    subject: say.daily(product),
    heading: say.daily(product),
    paragraphs: [],
    sections,
    action: { label: say.open(product), url: '/app/inbox' },
    closing: say.closing(product),
    unsubscribe: data.text('user_id'),
  };
}

function linesOf(part: MailData, say: Sentences): MailSection['lines'] {
  const pictures = part.objects('pictures');
  return part.objects('entries').flatMap((given, place) => {
    const entry: Entry = {
      who: given.text('actor_name') || say.someone,
      from: given.text('from'),
      to: given.text('to'),
      count: given.text('count'),
      day: given.text('due_date'),
      project: part.text('project_name'),
      answers: given.text('answers_id') !== '',
    };
    const words = [given.text('kind'), ...given.list('also')]
      .flatMap((kind) => say.kinds[kind]?.(entry) ?? [])
      .join(' ');
    const quote = withoutMarkup(given.text('excerpt'));
    const shown = pictures.filter((one) => one.text('entry') === String(place)).map((one) => one.text('id'));
    return words === '' ? [] : [{ words, ...(quote === '' ? {} : { quote }), pictures: shown }];
  });
}
