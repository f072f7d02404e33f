// Errors of /mcp before a tool is called, and of tools. A tool's are told to the model as its answer.

import { CatalogError, declareErrors } from '../errors.ts';

export const mcpErrors = declareErrors({
  KB881: {
    status: 401,
    when: 'The token is missing, invalid, or not valid for /mcp.',
    next: 'Follow `resource_metadata` of `WWW-Authenticate`, or send a key as Authorization.',
  },
  KB882: {
    status: 403,
    when: 'A web page of another origin sent the request.',
    next: 'Name its origin in CORS_ORIGINS.',
  },
  KB883: { status: 403, when: 'The token lacks a scope that the tool needs.', next: 'Ask for the scope it names.' },
  KB884: {
    status: 400,
    when: 'An argument is missing, unknown or invalid.',
    next: 'Correct it; the message says which.',
  },
  KB885: {
    status: 404,
    when: 'No project, view, column, label or person has that name, or several do.',
    next: 'Use a name from the list in the message.',
  },
  KB886: { status: 429, when: 'Too many subscriptions are open.', next: 'Close one first.' },
  KB887: { status: 404, when: 'The session has ended, or someone else began it.', next: 'Send `initialize` again.' },
  KB888: { status: 403, when: 'The token does not belong to an agent.', next: 'Send a key of an agent.' },
  KB889: {
    status: 429,
    when: 'Too many requests wait for this inbox.',
    next: 'Let one answer first.',
  },
});

export function mcpError(
  code: keyof typeof mcpErrors,
  message: string,
  headers: Record<string, string> = {},
  status?: number,
): CatalogError {
  return new CatalogError(code, status ?? mcpErrors[code].status, { message, hint: mcpErrors[code].next, headers });
}
