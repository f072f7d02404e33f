// OpenAPI descriptions of the routes of /api/webhooks.

import { webhookEvents, webhookShapes } from '../../contract/webhooks.ts';
import { body, choice, flag, inPath, object, refer, response, text } from '../http/open-api.ts';
import { eventOperations, eventSchemas } from './describe-events.ts';

const tags = ['Webhooks'];
const security = [{ token: [] }];
const errors = {
  400: response('A field does not fit', refer('WebhookError')),
  401: response('Not signed in', refer('WebhookError')),
  403: response('No owner of the project', refer('WebhookError')),
  404: response('There is none', refer('WebhookError')),
};

export const webhookTerms = {
  tags: [
    {
      name: 'Webhooks',
      description:
        'Made here, since the secret is told once; listed, changed and removed as rows of `webhooks` at /rest/v1. What is sent stands under `webhooks` of this document, signed as Standard Webhooks says: `webhook-id`, `webhook-timestamp`, `webhook-signature`. It is sent again with the same id until an answer of 2xx.',
    },
  ],
  webhooks: eventOperations,
  schemas: {
    ...eventSchemas,
    WebhookError: object({ code: text(), message: text() }, { additionalProperties: true }),
    Webhook: {
      type: 'object',
      description: 'The row of `webhooks`, with `secret`: whsec_ and base64, told in this answer alone.',
    },
  },
};

const named = text('Up to 100 characters', { minLength: 1, maxLength: 100 });

export const createWebhook = {
  operationId: 'createWebhook',
  tags,
  summary: 'Make a webhook',
  description: 'For owners of the project. The answer has its secret, which is not told again.',
  security,
  requestBody: body(
    object({
      project_id: text('The project', { format: 'uuid' }),
      name: named,
      url: text('Where it is sent, http or https', { minLength: 1, maxLength: 2000 }),
      events: {
        type: 'array',
        minItems: 1,
        maxItems: webhookEvents.length,
        uniqueItems: true,
        items: choice([...webhookEvents]),
        description: 'Types of events it is told of',
      },
      'filter?': { type: 'object', description: 'The filter of a view; left out: all tasks' },
      'shape?': choice([...webhookShapes], 'What it is told in; left out: json'),
      'includes_restricted?': flag('Restricted tasks, too'),
    }),
  ),
  responses: { 201: response('The webhook and its secret', refer('Webhook')), ...errors },
} as const;

export const rotateWebhook = {
  operationId: 'rotateWebhookSecret',
  tags,
  summary: 'Replace the secret of a webhook',
  description: 'For owners. For a day both secrets sign; the answer has the new one, which is not told again.',
  security,
  parameters: [inPath('id', undefined, { format: 'uuid' })],
  responses: { 200: response('The webhook and its new secret', refer('Webhook')), ...errors },
} as const;
