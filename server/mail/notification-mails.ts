// Writes notification emails: one about a task, or a daily summary. The sentences of each language stand together below; recipients and
// times are decided in sql/rules/notifications/mails.sql.

import { sayDay } from '../../contract/say-day.ts';
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

const german: Sentences = {
  kinds: {
    mentioned: ({ who }) => `${who} hat dich erwähnt.`,
    assigned: ({ who }) => `${who} hat sie dir zugewiesen.`,
    unassigned: ({ who }) => `${who} hat sie dir abgenommen.`,
    commented: ({ who, answers }) => (answers ? `${who} hat dir geantwortet.` : `${who} hat kommentiert.`),
    unblocked: () => 'Alles, worauf sie wartete, ist erledigt.',
    state_changed: ({ who, from, to, count }) =>
      count === ''
        ? `${who} hat sie von ${from} nach ${to} verschoben.`
        : `${who} hat ${count} ${count === '1' ? 'Aufgabe' : 'Aufgaben'} nach ${to} verschoben.`,
    due_soon: ({ day }) => `Sie ist am ${day} fällig.`,
    overdue: ({ day }) => `Sie war am ${day} fällig.`,
    added: ({ who, project }) => `${who} hat dich zum Projekt ${project} hinzugefügt.`,
    invited: ({ who, project }) => `${who} hat dich zum Projekt ${project} eingeladen.`,
  },
  open: (what) => `${what} öffnen`,
  daily: (product) => `Dein Tag in ${product}`,
  news: (project) => `Neues von ${project}`,
  someone: 'Jemand',
  closing: (product) =>
    `Du bekommst das, weil du sie beobachtest, daran arbeitest oder erwähnt wurdest. Was ${product} dir schickt, stellst du in deinem Konto unter „Benachrichtigungen“ ein.`,
};

/** By language; who reads another one gets the first. */
const languages: Readonly<Record<string, Sentences>> = { en: english, de: german };

/** About one task, or one project: mails about the same are one conversation to a mail program. */
export function writeNotification(data: MailData, product: string, language: string): MailContent {
  const say = languages[language] ?? english;
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
    sections: [{ lines: linesOf(part, say, language) }],
    ...(url === '' ? {} : { action: { label: say.open(key || project), url } }),
    closing: say.closing(product),
    thread: part.text('task_id') || part.text('project_id'),
    unsubscribe: data.text('user_id'),
  };
}

export function writeDailySummary(data: MailData, product: string, language: string): MailContent {
  const say = languages[language] ?? english;
  const sections = data.objects('parts').map((part): MailSection => {
    const title =
      [part.text('task_key'), part.text('task_title')].filter(Boolean).join(' ') || part.text('project_name');
    const url = part.text('url');
    return { title, ...(url === '' ? {} : { url }), lines: linesOf(part, say, language) };
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

function linesOf(part: MailData, say: Sentences, language: string): MailSection['lines'] {
  const pictures = part.objects('pictures');
  return part.objects('entries').flatMap((given, place) => {
    const entry: Entry = {
      who: given.text('actor_name') || say.someone,
      from: given.text('from'),
      to: given.text('to'),
      count: given.text('count'),
      day: sayDay(given.text('due_date'), language),
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
