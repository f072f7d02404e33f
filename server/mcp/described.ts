// OpenAPI description of /mcp.

import { body, fields, list, object, query, refer, response, text, whole } from '../http/open-api.ts';

const tags = ['MCP'];
const security = [{ token: [] }];

export const mcpTerms = {
  tags: [
    {
      name: 'MCP',
      description:
        'Model Context Protocol over streamable HTTP, revisions 2026-07-28 and 2025-11-25; the latter has sessions (`Mcp-Session-Id`), which carry subscriptions. Tools, resources and prompts describe themselves by `tools/list`, `resources/list` and `prompts/list`; each call runs as the caller, through /rest/v1 and /storage/v1.',
    },
  ],
  schemas: {
    AgentInbox: object({
      cursor: whole('Send it as `after` next time'),
      sessions: list(
        object(
          {
            id: text('Send it as `Agent-Session`', { format: 'uuid' }),
            prompts: list(fields('{id, body, created_at, user}'), 'What people said, oldest first'),
            markdown: text('The prompts and the task, as Markdown in which the words of others are marked'),
          },
          { additionalProperties: true },
        ),
        'Rows of `agent_sessions`',
      ),
    }),
    AgentInboxError: object({ code: text(), message: text() }, { additionalProperties: true }),
  },
};

export const readAgentInbox = {
  operationId: 'readAgentInbox',
  tags,
  security,
  summary: 'Read or wait for the work of an agent',
  description:
    'Sessions that were opened for the agent whose key is sent, and those in which people told it something, with the task. Without `after`, what it has not answered yet.',
  parameters: [
    query('wait', 'Seconds to wait until there is something; at most 60', {
      schema: whole(undefined, { minimum: 0, default: 0 }),
    }),
    query('after', 'The `cursor` of an earlier answer: only what came since', {
      schema: whole(undefined, { minimum: 0 }),
    }),
  ],
  responses: {
    200: response('What waits; no sessions when the time is over', refer('AgentInbox')),
    401: response('No token, or it has ended', refer('AgentInboxError')),
    403: response('The caller is no agent', refer('AgentInboxError')),
    429: response('Too many requests wait', refer('AgentInboxError')),
  },
} as const;

export const postMessage = {
  operationId: 'callMcp',
  tags,
  security,
  summary: 'Send a message of the Model Context Protocol',
  requestBody: body(fields('One JSON-RPC message')),
  responses: {
    200: response('The answer, as JSON or as a stream of events', fields('A JSON-RPC message')),
    202: response('A notification was taken'),
    400: response('The message can’t be read', fields('A JSON-RPC error')),
    401: response('No token for this resource; `WWW-Authenticate` leads to one', fields('A JSON-RPC error')),
    403: response('Another origin, or a scope is missing', fields('A JSON-RPC error')),
    404: response('The session has ended', fields('A JSON-RPC error')),
  },
};
