// OpenAPI description of /mcp.

import { body, fields, response } from '../http/open-api.ts';

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
  schemas: {},
};

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
