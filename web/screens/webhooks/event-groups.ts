// Types of events as they are chosen: what happens together is one choice.

import { type WebhookEvent, webhookEvents } from '../../../contract/webhooks.ts';

const of = (...starts: readonly string[]): readonly WebhookEvent[] =>
  webhookEvents.filter((type) => starts.some((start) => type === start || type.startsWith(`${start}.`)));

export const eventGroups = {
  created: of('task.created'),
  changed: of('task.updated', 'task.archived', 'task.restored', 'task.moved_in', 'task.moved_out'),
  moved: of('task.moved'),
  assigned: of('task.assigned', 'task.unassigned'),
  labeled: of('task.labeled', 'task.unlabeled'),
  claims: of('task.claimed', 'task.claim_released', 'task.claim_expired'),
  deleted: of('task.deleted'),
  comments: of('comment'),
  checklists: of('checklist_item'),
  files: of('attachment'),
  dependencies: of('dependency'),
  setup: of('column', 'label', 'project'),
  members: of('member'),
  agents: of('agent_session'),
} as const satisfies Readonly<Record<string, readonly WebhookEvent[]>>;
export type EventGroup = keyof typeof eventGroups;

export const eventGroupNames = Object.keys(eventGroups) as EventGroup[];

export function groupsIn(events: readonly WebhookEvent[]): EventGroup[] {
  return eventGroupNames.filter((name) => eventGroups[name].some((type) => events.includes(type)));
}
