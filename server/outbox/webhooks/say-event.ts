// Says an event as a chat message does: the task with its address as title, and one sentence below. Shapes put both into the form of their service.

import type { WebhookEvent } from '../../../contract/webhooks.ts';
import type { Payload } from './write-payload.ts';

export interface Said {
  readonly title: string;
  readonly url: string | null;
  readonly sentence: string;
  /** A comment, or the note of who handed a task back; shortened. */
  readonly quote: string | null;
}

type Change = Readonly<Record<string, unknown>>;
type Sentence = (change: Change, data: Payload['data']) => string;

const longestQuote = 500;
const longestTitle = 200;

const part = (change: Change, name: string, end: string): string => {
  const value = (change[name] as Readonly<Record<string, unknown>> | null | undefined)?.[end];
  return value === null || value === undefined ? '' : String(value);
};
const nameIn = (change: Change, name: string): string => part(change, name, 'to') || part(change, name, 'from');
const columnNames: Readonly<Record<string, string>> = {
  title: 'the title',
  description: 'the description',
  priority: 'the priority',
  start_date: 'the start date',
  due_date: 'the due date',
  estimate: 'the estimate',
};

const sentences: Readonly<Record<WebhookEvent, Sentence>> = {
  'task.created': () => 'created this task',
  'task.updated': (change) => {
    const names = Object.keys(change).map((name) => columnNames[name] ?? name.replaceAll('_', ' '));
    return `changed ${names.join(', ')}`;
  },
  'task.moved': (change) =>
    `moved it from ${part(change, 'column_id', 'from_name')} to ${part(change, 'column_id', 'to_name')}`,
  'task.claimed': () => 'claimed it',
  'task.claim_released': (_change, { actor, person }) =>
    person === undefined || person.id === actor?.id
      ? 'released the claim'
      : `released the claim of ${person.display_name}`,
  'task.claim_expired': (_change, { person }) =>
    `ended the claim of ${person?.display_name ?? 'someone'}: its time ran out`,
  'task.archived': () => 'archived it',
  'task.restored': () => 'restored it',
  'task.deleted': () => 'deleted it',
  'task.moved_in': (change) => `moved it here; it was ${part(change, 'key', 'from')}`,
  'task.moved_out': () => 'moved it to another project',
  'task.assigned': (_change, { person }) => `assigned ${person?.display_name ?? 'someone'}`,
  'task.unassigned': (_change, { person }) => `unassigned ${person?.display_name ?? 'someone'}`,
  'task.labeled': (change) => `added the label ${part(change, 'label_id', 'name')}`,
  'task.unlabeled': (change) => `removed the label ${part(change, 'label_id', 'name')}`,
  'checklist_item.created': (change) => `added “${nameIn(change, 'title')}” to the checklist`,
  'checklist_item.updated': (change) =>
    change.is_done === undefined
      ? 'changed the checklist'
      : `${part(change, 'is_done', 'to') === 'true' ? 'ticked' : 'unticked'} an item of the checklist`,
  'checklist_item.deleted': (change) => `removed “${nameIn(change, 'title')}” from the checklist`,
  'attachment.created': (change) => `attached ${nameIn(change, 'name')}`,
  'attachment.updated': (change) => `renamed ${part(change, 'name', 'from')} to ${part(change, 'name', 'to')}`,
  'attachment.deleted': (change) => `removed the file ${nameIn(change, 'name')}`,
  'dependency.created': () => 'made it wait for another task',
  'dependency.updated': () => 'changed a dependency',
  'dependency.deleted': () => 'removed a dependency',
  'comment.created': () => 'commented',
  'comment.updated': () => 'edited a comment',
  'comment.deleted': () => 'deleted a comment',
  'column.created': (change) => `added the column ${nameIn(change, 'name')}`,
  'column.updated': () => 'changed a column',
  'column.deleted': (change) => `removed the column ${nameIn(change, 'name')}`,
  'label.created': (change) => `added the label ${nameIn(change, 'name')}`,
  'label.updated': () => 'changed a label',
  'label.deleted': (change) => `removed the label ${nameIn(change, 'name')}`,
  'member.created': (_change, { person }) => `added ${person?.display_name ?? 'a group'} to the project`,
  'member.updated': (_change, { person }) => `changed the role of ${person?.display_name ?? 'a group'}`,
  'member.deleted': (_change, { person }) => `removed ${person?.display_name ?? 'a member'} from the project`,
  'project.updated': () => 'changed the project',
  'project.deleted': () => 'deleted the project',
  'project.restored': () => 'restored the project',
  'agent_session.created': (_change, { session }) => `handed work over to ${session?.agent.display_name ?? 'an agent'}`,
  'agent_session.prompted': (_change, { session }) => `sent ${session?.agent.display_name ?? 'an agent'} a message`,
  'agent_session.stopped': (_change, { session }) =>
    `ended the session of ${session?.agent.display_name ?? 'an agent'}`,
};

/** A program stands behind its person, as in the history of a task. */
function actorIn({ actor, program }: Payload['data']): string {
  const name = actor?.display_name ?? 'Kanbase';
  return program === undefined || program.name === name ? name : `${name} via “${program.name}”`;
}

export function sayEvent({ type, data }: Payload): Said {
  const { task, project, comment, prompt } = data;
  const body = String((comment ?? prompt)?.body ?? data.change?.note ?? '').trim();
  const sentence = type in sentences ? sentences[type as WebhookEvent](data.change ?? {}, data) : null;
  return {
    title: shorten(task === undefined ? project.name : `${task.key} ${String(task.title ?? '')}`, longestTitle),
    url: task?.url ?? null,
    sentence: sentence === null ? 'This is a test.' : `${actorIn(data)} ${sentence}`,
    quote: body === '' ? null : shorten(body, longestQuote),
  };
}

function shorten(text: string, most: number): string {
  const all = [...text];
  return all.length <= most ? text : `${all.slice(0, most - 1).join('')}…`;
}
