// Writes a push message: a title, one line and an address, in the recipient's language. Short, since push services take four kilobytes, and
// the lock screen of a phone less.

import { textsIn } from '../../texts/texts.ts';

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

export function writePushMessage(id: string, part: Part, unread: number): PushMessage {
  const [entry = {}] = (Array.isArray(part.entries) ? part.entries : []) as readonly Part[];
  const project = text(part, 'project_name');
  const task = [text(part, 'task_key'), text(part, 'task_title')].filter(Boolean).join(' ');
  const texts = textsIn(part.language);
  const values = {
    who: text(entry, 'actor_name') || texts.t('mail.someone'),
    excerpt: text(entry, 'excerpt'),
    from: text(entry, 'from'),
    to: text(entry, 'to'),
    count: Number(entry.count),
    day: texts.sayDay(text(entry, 'due_date')),
    project,
  };
  const sentence = texts.find(`push.${eventOf(entry)}`, values);
  return {
    title: (task || project || 'Kanbase').slice(0, 200),
    body: plain(sentence ?? '').slice(0, 300),
    url: text(part, 'url') || '/app/inbox',
    tag: text(part, 'task_id') || id,
    unread: Number(unread),
  };
}

/** A comment may answer one of theirs, and several tasks may have moved. */
function eventOf(entry: Part): string {
  if (entry.kind === 'commented' && entry.answers_id !== undefined) return 'answered';
  if (entry.kind === 'state_changed' && entry.count !== undefined) return 'tasks_moved';
  return text(entry, 'kind');
}

/** A mention is the name. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/@\[([^\]\n]{0,500})\]\([^)\n]{0,500}\)/g, '@$1')
    .replaceAll(/[*_`#>~]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
