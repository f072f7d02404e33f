// Writes a push message: a title, one line and an address, in the recipient's language. Short, since push services take four kilobytes, and
// the lock screen of a phone less.

import { sayDay } from '../../../contract/say-day.ts';

interface PushMessage {
  readonly title: string;
  readonly body: string;
  readonly url: string;
  /** A later message about the same takes the place of the earlier one. */
  readonly tag: string;
  readonly unread: number;
}

type Part = Readonly<Record<string, unknown>>;

const text = (part: Part, name: string): string => {
  const value = part[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** By kind; `who` is never empty. */
type Sentences = Readonly<Record<string, (who: string, entry: Part, project: string) => string>>;

const english = {
  mentioned: (who, entry) => `${who} mentioned you: ${text(entry, 'excerpt')}`,
  assigned: (who) => `${who} assigned it to you`,
  unassigned: (who) => `${who} took you off it`,
  commented: (who, entry) =>
    entry.answers_id !== undefined
      ? `${who} answered your comment: ${text(entry, 'excerpt')}`
      : `${who} commented: ${text(entry, 'excerpt')}`,
  unblocked: () => 'Everything it waited for is done',
  state_changed: (who, entry) =>
    entry.count === undefined
      ? `${who} moved it from ${text(entry, 'from')} to ${text(entry, 'to')}`
      : `${who} moved ${text(entry, 'count')} tasks to ${text(entry, 'to')}`,
  due_soon: (_who, entry) => `It is due on ${sayDay(text(entry, 'due_date'), 'en')}`,
  overdue: (_who, entry) => `It was due on ${sayDay(text(entry, 'due_date'), 'en')}`,
  added: (who, _entry, project) => `${who} added you to the project ${project}`,
  invited: (who, _entry, project) => `${who} invited you to the project ${project}`,
  backup_failed: (_who, entry) => `A scheduled backup failed: ${text(entry, 'excerpt')}`,
} satisfies Sentences;

const german: Readonly<Record<keyof typeof english, Sentences[string]>> = {
  mentioned: (who, entry) => `${who} hat dich erwähnt: ${text(entry, 'excerpt')}`,
  assigned: (who) => `${who} hat sie dir zugewiesen`,
  unassigned: (who) => `${who} hat sie dir abgenommen`,
  commented: (who, entry) =>
    entry.answers_id !== undefined
      ? `${who} hat dir geantwortet: ${text(entry, 'excerpt')}`
      : `${who} hat kommentiert: ${text(entry, 'excerpt')}`,
  unblocked: () => 'Alles, worauf sie wartete, ist erledigt',
  state_changed: (who, entry) =>
    entry.count === undefined
      ? `${who} hat sie von ${text(entry, 'from')} nach ${text(entry, 'to')} verschoben`
      : `${who} hat ${text(entry, 'count')} ${text(entry, 'count') === '1' ? 'Aufgabe' : 'Aufgaben'} nach ${text(entry, 'to')} verschoben`,
  due_soon: (_who, entry) => `Sie ist am ${sayDay(text(entry, 'due_date'), 'de')} fällig`,
  overdue: (_who, entry) => `Sie war am ${sayDay(text(entry, 'due_date'), 'de')} fällig`,
  added: (who, _entry, project) => `${who} hat dich zum Projekt ${project} hinzugefügt`,
  invited: (who, _entry, project) => `${who} hat dich zum Projekt ${project} eingeladen`,
  backup_failed: (_who, entry) => `Ein geplantes Backup ist fehlgeschlagen: ${text(entry, 'excerpt')}`,
};

const languages: Readonly<Record<string, { readonly say: Sentences; readonly someone: string }>> = {
  en: { say: english, someone: 'Someone' },
  de: { say: german, someone: 'Jemand' },
};

export function writePushMessage(id: string, part: Part, unread: number): PushMessage {
  const [entry = {}] = (Array.isArray(part.entries) ? part.entries : []) as readonly Part[];
  const project = text(part, 'project_name');
  const task = [text(part, 'task_key'), text(part, 'task_title')].filter(Boolean).join(' ');
  const wanted = text(part, 'language');
  const language = languages[Object.hasOwn(languages, wanted) ? wanted : 'en'];
  const sentence = language?.say[text(entry, 'kind')]?.(text(entry, 'actor_name') || language.someone, entry, project);
  return {
    title: (task || project || 'Kanbase').slice(0, 200),
    body: plain(sentence ?? '').slice(0, 300),
    url: text(part, 'url') || '/app/inbox',
    tag: text(part, 'task_id') || id,
    unread: Number(unread),
  };
}

/** A mention is the name. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/@\[([^\]\n]{0,500})\]\([^)\n]{0,500}\)/g, '@$1')
    .replaceAll(/[*_`#>~]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
