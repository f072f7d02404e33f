// An agent of a project as tests work with one: made by an owner, with a key, in sessions of its own.

import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';
import type { TestApp, TestUser } from '../helpers/app.ts';
import { notedFetch } from '../helpers/records.ts';
import { one } from '../sql/board.ts';

export interface AgentSession {
  readonly id: string;
  readonly project_id: string;
  readonly task_id: string | null;
  readonly agent_id: string | null;
  readonly user_id: string;
  readonly responsible_id: string;
  readonly mode: string;
  readonly state: string;
  readonly title: string;
  readonly ended_at: string | null;
}

export interface Agent {
  readonly id: string;
  readonly key: string;
  /** Outside of any session. */
  readonly client: SupabaseClient;
  open(args: Readonly<Record<string, unknown>>): Promise<AgentSession>;
  within(session: Pick<AgentSession, 'id'>): SupabaseClient;
}

/** `session`: requests are made in it. */
export const clientWith = (app: TestApp, token: string, session?: string, apikey = token): SupabaseClient =>
  createClient(app.url, apikey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    realtime: { transport: WebSocket as never },
    global: {
      fetch: notedFetch,
      headers: {
        authorization: `Bearer ${token}`,
        ...(session === undefined ? {} : { 'agent-session': session }),
      },
    },
  });

export async function makeAgent(
  app: TestApp,
  { client: owner }: Pick<TestUser, 'client'>,
  project: string,
  given: Readonly<Record<string, unknown>> = {},
): Promise<Agent> {
  const { id } = (await one(
    owner.rpc('create_agent', { name: 'Planner', project_id: project, mode: 'write', ...given }),
  )) as { id: string };
  const { token: key } = (await one(
    owner.rpc('create_service_account_key', { service_account_id: id, name: 'Runner', scope: 'write' }),
  )) as { token: string };
  const client = clientWith(app, key);
  return {
    ...{ id, key, client },
    open: (args) => one(client.rpc('open_agent_session', args)) as Promise<AgentSession>,
    within: (session) => clientWith(app, key, session.id),
  };
}
