// A task as a page of Markdown: facts as YAML at the top, description, subtasks, comments. Pictures and files in the text point at the files beside
// the page.

import { type Figure, figures } from '../../contract/views.ts';

export interface PageTask extends Readonly<Record<Figure, number | null>> {
  readonly id: string;
  readonly project_id: string;
  readonly number: number;
  readonly title: string;
  readonly description: string;
  readonly state: string;
  readonly priority: string;
  readonly start_date: string | null;
  readonly due_date: string | null;
  readonly created_at: string;
  readonly completed_at: string | null;
  readonly archived_at: string | null;
  readonly assignees: readonly string[];
  readonly labels: readonly string[];
  readonly parent: Named | null;
  readonly subtasks: readonly Named[];
  readonly waits_for: readonly Named[];
  readonly repeats: string | null;
  readonly fields: Readonly<Record<string, unknown>> | null;
  readonly checklist: readonly { readonly title: string; readonly is_done: boolean }[];
  readonly comments: readonly { readonly author: string | null; readonly at: string; readonly body: string }[];
  readonly attachments: readonly PageFile[];
}

interface Named {
  readonly number: number;
  readonly title: string;
}

export interface PageFile {
  readonly id: string;
  readonly name: string;
  readonly version: string | null;
  readonly encoding: string | null;
  readonly size: number | null;
  readonly updated_at: string | null;
}

export interface PageWords {
  readonly key: string;
  /** Of fields, in their order: name and value in words. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Where each attachment lies, seen from the page; those whose bytes are gone are missing. */
  readonly places: ReadonlyMap<string, string>;
}

export function writePage(task: PageTask, { key, fields, places }: PageWords): string {
  const facts: readonly (readonly [string, unknown])[] = [
    ['id', `${key}-${task.number}`],
    ['title', task.title],
    ['status', task.state],
    ['priority', task.priority],
    ['assignees', task.assignees],
    ['labels', task.labels],
    ['start', task.start_date],
    ['due', task.due_date],
    ...figures.map((name) => [name, task[name]] as const),
    ['repeats', task.repeats],
    ['created', task.created_at],
    ['completed', task.completed_at],
    ['archived', task.archived_at],
    ...fields,
  ];
  const kept = facts.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
  const link = (other: Named): string => `[${key}-${other.number}](<${pageName(key, other)}>) ${oneLine(other.title)}`;
  const parts = [
    // JSON is YAML, so whatever stands in a title stays what it is.
    `---\n${kept.map(([name, value]) => `${yamlKey(name)}: ${JSON.stringify(value)}`).join('\n')}\n---`,
    `# ${oneLine(task.title)}`,
    task.description === '' ? '' : withPlaces(task.description, places),
    section(
      'Checklist',
      task.checklist.map((item) => `- [${item.is_done ? 'x' : ' '}] ${oneLine(item.title)}`),
    ),
    section('Part of', task.parent === null ? [] : [`- ${link(task.parent)}`]),
    section(
      'Subtasks',
      task.subtasks.map((one) => `- ${link(one)}`),
    ),
    section(
      'Waits for',
      task.waits_for.map((one) => `- ${link(one)}`),
    ),
    section(
      'Files',
      task.attachments.map(({ id, name }) => {
        const place = places.get(id);
        return place === undefined ? `- ${text(name)} (not there any more)` : `- [${text(name)}](${place})`;
      }),
    ),
    section(
      'Comments',
      task.comments.map(
        ({ author, at, body }) =>
          `**${text(author ?? 'Somebody')}** · ${at.slice(0, 16).replace('T', ' ')} UTC\n\n${withPlaces(body, places)}\n`,
      ),
    ),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** "HAR-12 Dredge the basin.md": what every file system takes. */
export function pageName(key: string, { number, title }: Named): string {
  return `${key}-${number} ${fileName(title).slice(0, 60).trim()}`
    .trim()
    .replace(/(?<![. ])[. ]+$/, '')
    .concat('.md');
}

/** Without what some file system, or a path, reads as something else. */
export function fileName(name: string): string {
  return name
    .replaceAll(/[\p{C}/\\:*?"<>|]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^\.+/, '');
}

/** A path as the address of a link: round brackets would end it. */
export function addressOf(path: string): string {
  return path
    .split('/')
    .map((part) => encodeURIComponent(part).replaceAll(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29')))
    .join('/');
}

function withPlaces(markdown: string, places: ReadonlyMap<string, string>): string {
  return markdown.replaceAll(
    /attachment:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi,
    (whole, id: string) => places.get(id.toLowerCase()) ?? whole,
  );
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}`;
}

function yamlKey(name: string): string {
  return /^[a-z][a-z0-9_]*$/i.test(name) ? name : JSON.stringify(name);
}

function oneLine(title: string): string {
  return title.replaceAll(/\s+/g, ' ').trim();
}

/** Inside the words of a link or in bold. */
function text(name: string): string {
  return oneLine(name).replaceAll(/[\\[\]*_`<>]/g, '\\$&');
}
