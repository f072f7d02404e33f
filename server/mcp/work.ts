// The session of an agent that a client of /mcp works in (sql/rules/agents/connections.sql): the one its request names, or that of its connection, opened
// at its first write. It is named by what tells connections apart: the token's grant, the client's program, and a name that it may send.

import { createHash } from 'node:crypto';
import { grantOf } from '../session/grant-of.ts';
import type { Session } from '../session/types.ts';
import { plainLine } from './plain-text.ts';
import { ToolFault } from './tool-fault.ts';

export interface Work {
  /** Named by the header Agent-Session. */
  readonly session: string | null;
  /** Null: what is asked belongs to no session. */
  readonly connection: string | null;
  /** Name of the client. */
  readonly title: string;
}

export interface WorkSession {
  readonly id: string;
  readonly project_id: string;
  readonly task_id: string | null;
  readonly agent_id: string | null;
  readonly mode: string;
  readonly state: string;
  readonly title: string;
  readonly ends_at: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function readWork(headers: Headers, session: Session, client: string): Work {
  const parts = [
    grantOf(session),
    headers.get('agent-connection') ?? headers.get('mcp-session-id') ?? '',
    headers.get('user-agent') ?? '',
  ];
  const connection = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
  return { session: headers.get('agent-session'), connection, title: plainLine(client, 100) };
}

type Call = (procedure: string, args: Readonly<Record<string, unknown>>) => Promise<readonly WorkSession[]>;

export interface FindWork {
  current(): Promise<WorkSession | null>;
  /** Refused where a person stopped the last one. */
  open(projectId: string): Promise<WorkSession | null>;
  takeUp(id: string): Promise<WorkSession | null>;
  leave(): Promise<null>;
}

export function findWork(
  { session, connection, title }: Work,
  call: Call,
  read: (id: string) => Promise<readonly WorkSession[]>,
): FindWork {
  const ask = async (args: Readonly<Record<string, unknown>>): Promise<WorkSession | null> =>
    connection === null ? null : ((await call('connect_agent_session', { connection, ...args }))[0] ?? null);
  return {
    current: async () => (session === null ? ask({}) : ((await read(session))[0] ?? null)),
    open: (projectId) => ask({ project_id: projectId, title }),
    async takeUp(id) {
      if (session !== null) throw new ToolFault('Your requests name their session in a header: work in it.', 'KB884');
      if (!uuid.test(id))
        throw new ToolFault('session must be the id of a session from your inbox, or "new".', 'KB884');
      return ask({ session_id: id });
    },
    async leave() {
      await ask({ leave: true });
      return null;
    },
  };
}
