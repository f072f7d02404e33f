// An agent: the official client, connected to /mcp with a token.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestApp } from '../helpers/app.ts';

export interface Told {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: ReturnType<typeof JSON.parse>;
}

export interface Agent {
  readonly client: Client;
  use(tool: string, args?: Record<string, unknown>): Promise<Told>;
  close(): Promise<void>;
}

export type Revision = '2026-07-28' | '2025-11-25';

export async function connectAgent(
  app: Pick<TestApp, 'url'>,
  token: string,
  revision: Revision = '2026-07-28',
  headers: Readonly<Record<string, string>> = {},
): Promise<Agent> {
  const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}`, ...headers } },
  });
  return openAgent(transport, revision);
}

export async function openAgent(transport: Parameters<Client['connect']>[0], revision: Revision): Promise<Agent> {
  const client = new Client(
    { name: 'agent', version: '1' },
    revision === '2026-07-28' ? { versionNegotiation: { mode: { pin: revision } } } : {},
  );
  await client.connect(transport);
  return {
    client,
    close: () => client.close(),
    async use(tool, args = {}) {
      const answer = await client.callTool({ name: tool, arguments: args });
      const text = (answer.content as readonly { type: string; text?: string }[])
        .map((part) => part.text ?? '')
        .join('\n');
      return { text, isError: answer.isError === true, structured: answer.structuredContent ?? null };
    },
  };
}

/** Lines of tasks in an answer of find_tasks, without heads and marks. */
export const tasksIn = ({ structured }: Told): string[] =>
  (structured.markdown as string).split('\n').filter((line) => /^[A-Z0-9a-f-]+ v\d/.test(line));
