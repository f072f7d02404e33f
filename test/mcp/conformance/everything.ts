// Tools, resources and prompts that the official conformance suite asks servers for, served by the door of /mcp in place of the board's: what the suite then
// tells is about transport, sessions, discovery, errors and subscriptions of the door. Those that ask their client for input: ask-client.ts.

import { setTimeout as pause } from 'node:timers/promises';
import { type CallToolResult, fromJsonSchema, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import type { Offer, ServedBoard } from '../../../server/mcp/offer.ts';
import { addQuestions, requestState } from './ask-client.ts';

/** One red pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
/** No samples. */
const wav = Buffer.concat([
  Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0', 'latin1'),
  Buffer.from([0x40, 0x1f, 0, 0, 0x80, 0x3e, 0, 0, 2, 0, 16, 0]),
  Buffer.from('data\0\0\0\0', 'latin1'),
]).toString('base64');

const pauseMs = 50;
const text = (words: string): { type: 'text'; text: string } => ({ type: 'text', text: words });
const says = (words: string): CallToolResult => ({ content: [text(words)] });
const picture = { type: 'image', data: png, mimeType: 'image/png' } as const;

export const everything: Offer = {
  open: openEverything,
  scopeOf: () => undefined,
  // It changes with any task that the caller sees.
  bindingsOf: async (_board, uris) =>
    uris.filter((uri) => uri === 'test://watched-resource').map((uri) => ({ uri, table: 'tasks' })),
};

function openEverything({ tellsChanges }: ServedBoard): McpServer {
  const server = new McpServer(
    { name: 'everything', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false, subscribe: tellsChanges },
        completions: {},
        logging: {},
      },
      requestState: { verify: (state, context) => requestState.verify(state, context) },
    },
  );
  addContents(server);
  addEvents(server);
  addSchemas(server);
  addResources(server);
  addPrompts(server);
  addQuestions(server);
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false },
  }));
  return server;
}

function addContents(server: McpServer): void {
  server.registerTool('test_simple_text', { description: 'Answers with text' }, () =>
    says('This is a simple text response for testing.'),
  );
  server.registerTool('test_image_content', { description: 'Answers with a picture' }, () => ({ content: [picture] }));
  server.registerTool('test_audio_content', { description: 'Answers with sound' }, () => ({
    content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  }));
  server.registerTool('test_embedded_resource', { description: 'Answers with a resource' }, () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }));
  server.registerTool('test_multiple_content_types', { description: 'Answers with several parts' }, () => ({
    content: [
      text('Multiple content types test:'),
      picture,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ],
  }));
  server.registerTool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
}

function addEvents(server: McpServer): void {
  server.registerTool('test_tool_with_logging', { description: 'Logs as it works' }, async ({ mcpReq }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', data);
      await pause(pauseMs);
    }
    return says('Done');
  });
  server.registerTool('test_logging_tool', { description: 'Logs where its client wants it' }, async ({ mcpReq }) => {
    await mcpReq.log('info', 'Working');
    return says('Done');
  });
  server.registerTool('test_tool_with_progress', { description: 'Tells how far it is' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      await pause(pauseMs);
    }
    return says('Done');
  });
}

function addSchemas(server: McpServer): void {
  const one = { type: 'string' };
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'Has a schema of many words',
      inputSchema: fromJsonSchema({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: one, city: one } } },
        properties: {
          name: one,
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone: one,
          email: one,
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      }),
    },
    () => says('Done'),
  );
  server.registerTool(
    'test_custom_headers',
    {
      description: 'Has an argument that is a header, too',
      inputSchema: fromJsonSchema({
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } as { type: 'string' } },
      }),
    },
    () => says('Done'),
  );
}

function addResources(server: McpServer): void {
  const plain = { description: 'Text', mimeType: 'text/plain' };
  server.registerResource('static-text', 'test://static-text', plain, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('watched', 'test://watched-resource', plain, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'It changes with any task.' }],
  }));
  const binary = { description: 'A picture', mimeType: 'image/png' };
  server.registerResource('static-binary', 'test://static-binary', binary, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: png }],
  }));
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data by number', mimeType: 'application/json' },
    ({ href: uri }, { id }) => {
      const data = { id, templateTest: true, data: `Data for ID: ${id}` };
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] };
    },
  );
}

function addPrompts(server: McpServer): void {
  const said = (...contents: readonly object[]) => ({
    messages: contents.map((content) => ({ role: 'user' as const, content: content as typeof picture })),
  });
  server.registerPrompt('test_simple_prompt', { description: 'Without arguments' }, () =>
    said(text('This is a simple prompt for testing.')),
  );
  const given = (...names: readonly string[]) =>
    fromJsonSchema<Record<string, string>>({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string', description: name }])),
      required: [...names],
    });
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With two arguments', argsSchema: given('arg1', 'arg2') },
    ({ arg1, arg2 }) => said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: given('resourceUri') },
    ({ resourceUri: uri }) => {
      const resource = { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
      return said({ type: 'resource', resource }, text('Please process the embedded resource above.'));
    },
  );
  server.registerPrompt('test_prompt_with_image', { description: 'With a picture' }, () =>
    said(picture, text('Please analyze the image above.')),
  );
}
