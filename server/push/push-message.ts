// What a push message says: a title, one line, where it leads. Short, since push services take four kilobytes, and the lock screen of a
// phone less.

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
const sentences: Readonly<Record<string, (who: string, entry: Part, project: string) => string>> = {
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
  due_soon: (_who, entry) => `It is due on ${text(entry, 'due_date')}`,
  overdue: (_who, entry) => `It was due on ${text(entry, 'due_date')}`,
  added: (who, _entry, project) => `${who} added you to the project ${project}`,
  invited: (who, _entry, project) => `${who} invited you to the project ${project}`,
};

export function writePushMessage(id: string, part: Part, unread: number): PushMessage {
  const [entry = {}] = (Array.isArray(part.entries) ? part.entries : []) as readonly Part[];
  const project = text(part, 'project_name');
  const task = [text(part, 'task_key'), text(part, 'task_title')].filter(Boolean).join(' ');
  const say = sentences[text(entry, 'kind')];
  return {
    title: (task || project || 'Kanbase').slice(0, 200),
    body: plain(say?.(text(entry, 'actor_name') || 'Someone', entry, project) ?? '').slice(0, 300),
    url: text(part, 'url') || '/app/inbox',
    tag: text(part, 'task_id') || id,
    unread: Number(unread),
  };
}

/** A mention is the name. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/@\[([^\]]*)\]\([^)]*\)/g, '@$1')
    .replaceAll(/[*_`#>~]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
