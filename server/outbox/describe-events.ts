// OpenAPI description of what webhooks are sent: one entry for each type of event, with the payload of shape json and an example of it.

import { type WebhookEvent, webhookEvents } from '../../contract/webhooks.ts';
import { type Operation, object, orNull, type Paths, refer, response, type Schema, text } from '../http/open-api.ts';
import { type OutboxEvent, writePayload } from './webhooks/write-payload.ts';

const uuid = (description: string): Schema<string> => text(description, { format: 'uuid' });
const person = object({ id: uuid('As in `profiles`'), display_name: text() });

export const eventSchemas = {
  WebhookPayload: object({
    type: text('Type of the event'),
    timestamp: text('When it happened', { format: 'date-time' }),
    data: object(
      {
        project: object({ id: uuid('The project'), key: text(), name: text() }),
        'actor?': orNull(person),
        'program?': object({
          kind: text('key or app'),
          sub: text('Its id'),
          name: text('As its person or its maker named it'),
        }),
        'task?': {
          type: 'object',
          description: 'The row of `tasks` right after the change, with `key`, `column` and `url`',
        },
        'comment?': { type: 'object', description: 'The row of `task_comments`' },
        'person?': person,
        'session?': {
          type: 'object',
          description: 'The row of `agent_sessions`, with `agent`: {"id", "display_name"}',
        },
        'prompt?': { type: 'object', description: 'The row of `agent_activities`: words for the agent' },
        'change?': { type: 'object', description: 'As in `task_activity`: {"column": {"from", "to"}}' },
      },
      { additionalProperties: true },
    ),
  }),
};

const ids = (last: number): string => `0190a1b2-0000-7000-8000-00000000000${last}`;
function exampleSession(state = 'pending') {
  return {
    ...{ id: ids(9), responsible_id: ids(2), title: 'Draft the page', mode: 'propose', state },
    agent: { id: ids(0), display_name: 'Planner' },
  };
}
const examplePrompt = () => ({ id: ids(8), body: 'Please draft the text' });
const changes: Readonly<Partial<Record<WebhookEvent, OutboxEvent['change']>>> = {
  'task.created': { title: 'Draft the page', number: 12, column_id: ids(4) },
  'task.moved': { column_id: { from: ids(4), to: ids(5), from_name: 'To do', to_name: 'Done' } },
  'task.updated': { due_date: { from: null, to: '2030-03-01' } },
  'task.claimed': { claim_id: ids(9), user_id: { from: null, to: ids(2) }, expires_at: '2030-01-15T09:45:00.000Z' },
  'task.claim_released': { claim_id: ids(9), user_id: { from: ids(2), to: null }, note: 'Needs a decision first' },
  'task.claim_expired': {
    claim_id: ids(9),
    user_id: { from: ids(2), to: null },
    expires_at: '2030-01-15T09:45:00.000Z',
  },
  'comment.created': { comment_id: ids(6) },
  'agent_session.created': { session: exampleSession(), prompt: examplePrompt() },
  'agent_session.prompted': { session: exampleSession('active'), prompt: examplePrompt() },
  'agent_session.stopped': { session: { ...exampleSession('complete'), stopped_by: ids(2) } },
};

/** As the outbox would give it. */
function exampleOf(type: WebhookEvent): OutboxEvent {
  const isOfTask = !/^(column|label|member|project)\./.test(type);
  const ada = { id: ids(2), display_name: 'Ada Lovelace' };
  return {
    place: 1,
    id: ids(1),
    type,
    project_id: ids(3),
    task_id: isOfTask ? ids(7) : null,
    change: changes[type] ?? { id: ids(8) },
    task: isOfTask ? { id: ids(7), number: 12, title: 'Draft the page', priority: 'p1', column_id: ids(4) } : null,
    comment: type.startsWith('comment.') && type !== 'comment.deleted' ? { id: ids(6), body: 'Done by Friday' } : null,
    is_restricted: false,
    created_at: '2030-01-15T09:30:00.000Z',
    project: { id: ids(3), key: 'WEB', name: 'Web site' },
    column: isOfTask ? 'To do' : null,
    actor: type === 'task.claim_expired' ? null : ada,
    person: /assigned|claim|^member/.test(type) ? ada : null,
    program: type === 'task.claimed' ? { kind: 'key', sub: ids(2), name: 'Nightly build' } : null,
  };
}

function operationOf(type: WebhookEvent): Operation {
  return {
    operationId: `on_${type.replace('.', '_')}`,
    tags: ['Webhooks'],
    summary: type,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: refer('WebhookPayload'),
          example: writePayload(exampleOf(type), 'https://kanbase.example'),
        },
      },
    },
    responses: { 200: response('OK'), 410: response('Turns the webhook off') },
  };
}

export const eventOperations: Paths = Object.fromEntries(
  webhookEvents.map((type) => [type, { post: operationOf(type) }]),
);
