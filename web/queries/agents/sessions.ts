// Sessions of agents, of a project or a task, and one whole: results that are asked for again when something of them changes. They are not saved on
// the device; what a board shows of them are rows (at-work.ts).

import type { Database, Json } from '../../../contract/database.ts';
import { type Door, dataOf } from '../../sync/door.ts';
import { useSync } from '../../sync/react.tsx';
import type { ActivityRow } from '../../sync/rows/rows.ts';
import { type LiveResult, useUnsavedResult } from '../../sync/use-result.ts';
import { programOf } from '../people/name-through.ts';
import type { SessionState } from './at-work.ts';

type Tables = Database['public']['Tables'];
export const modes = ['read', 'comment', 'propose', 'write'] as const;
export type AgentMode = (typeof modes)[number];

export interface PlanStep {
  readonly title: string;
  readonly state?: 'pending' | 'active' | 'complete' | 'canceled';
}
interface SessionLink {
  readonly title: string;
  readonly url: string;
}

export interface AgentSession extends Omit<Tables['agent_sessions']['Row'], 'state' | 'mode' | 'plan' | 'links'> {
  readonly state: SessionState;
  readonly mode: AgentMode;
  readonly plan: readonly PlanStep[];
  readonly links: readonly SessionLink[];
}

/** Of a prompt that the database wrote: what it is about. */
export interface Occasion {
  readonly kind: string;
  readonly reason?: string;
}

export interface AgentActivity extends Omit<Tables['agent_activities']['Row'], 'kind' | 'occasion'> {
  readonly kind: 'thought' | 'action' | 'elicitation' | 'response' | 'error' | 'prompt';
  readonly occasion: Occasion | null;
}

/** A change that was undone, or that stays as it is. */
export interface ChangeLine {
  /** Null, like its title: of what one doesn't see. */
  readonly table: string | null;
  readonly id: unknown;
  readonly title: string | null;
  readonly columns?: readonly string[];
  readonly change?: 'insert' | 'update' | 'delete' | null;
  readonly code?: string;
  /** Of what one doesn't see: how many changes there are. */
  readonly count?: number;
  /** Why it stays, in words of the server. */
  readonly reason?: string;
}

/** A row as it was and as it would become; null: there is none. */
export interface DifferenceStep {
  readonly table: string;
  readonly was: Readonly<Record<string, Json>> | null;
  readonly becomes: Readonly<Record<string, Json>> | null;
}

export interface AgentProposal
  extends Omit<Tables['agent_proposals']['Row'], 'state' | 'difference' | 'call' | 'stays'> {
  readonly state: 'open' | 'accepted' | 'rejected' | 'conflict';
  /** What stood against it. */
  readonly stays: readonly ChangeLine[] | null;
  readonly difference: readonly DifferenceStep[];
}

/** Of which sessions there are lines of history, and how many. */
export interface SessionList {
  readonly sessions: readonly AgentSession[];
  readonly changes: ReadonlyMap<string, number>;
}

export interface WholeSession {
  readonly session: AgentSession;
  /** The reader manages its agent. */
  readonly isManaged: boolean;
  readonly activities: readonly AgentActivity[];
  readonly proposals: readonly AgentProposal[];
  /** Lines of history that it wrote, the newest first. */
  readonly lines: readonly ActivityRow[];
}

/** Who works: an agent by its name, else a person's program. */
export function nameOfWorker(session: Pick<AgentSession, 'agent_id' | 'program'>, name: string): string {
  const program = session.agent_id === null ? programOf(session.program) : null;
  return program?.name ?? name;
}

const tables = ['agent_sessions', 'agent_activities', 'agent_proposals'] as const;
const mostSessions = 100;
const mostLines = 500;

/** `taskId`: of this task alone. The newest first. */
export function useSessions(projectId: string, taskId: string | null): LiveResult<SessionList> {
  const { door } = useSync();
  return useUnsavedResult<SessionList>({
    name: `agent_sessions ${projectId} ${taskId}`,
    about: { kind: 'figures', projectId, tables, alone: true },
    ask: async () => readSessions(door, projectId, taskId),
  });
}

async function readSessions(door: Door, projectId: string, taskId: string | null): Promise<SessionList> {
  const asked = door.from('agent_sessions').select('*').eq('project_id', projectId);
  const sessions = dataOf(
    await (taskId === null ? asked : asked.eq('task_id', taskId)).order('id', { ascending: false }).limit(mostSessions),
  ) as unknown as AgentSession[];
  const oldest = sessions.at(-1)?.created_at;
  if (oldest === undefined || taskId !== null) return { sessions, changes: new Map() };
  const lines = dataOf(
    await door
      .from('task_activity')
      .select('program->>session')
      .eq('project_id', projectId)
      .gte('created_at', oldest)
      .in(
        'program->>session',
        sessions.map(({ id }) => id),
      ),
  ) as unknown as { session: string }[];
  const changes = new Map<string, number>();
  for (const { session } of lines) changes.set(session, (changes.get(session) ?? 0) + 1);
  return { sessions, changes };
}

/** Null: there is none that one may see. */
export function useSession(projectId: string, sessionId: string): LiveResult<{ readonly found: WholeSession | null }> {
  const { door } = useSync();
  return useUnsavedResult({
    name: `agent_session ${sessionId}`,
    about: { kind: 'figures', projectId, tables: [...tables, 'task_activity'], alone: true },
    ask: async () => ({ found: await readSession(door, projectId, sessionId) }),
  });
}

async function readSession(door: Door, projectId: string, sessionId: string): Promise<WholeSession | null> {
  const [sessions, activities, proposals] = await Promise.all([
    door.from('agent_sessions').select('*, agents(service_accounts(id))').eq('id', sessionId),
    door.from('agent_activities').select('*').eq('session_id', sessionId).order('id'),
    door.from('agent_proposals').select('*').eq('session_id', sessionId).order('id'),
  ]);
  const row = dataOf(sessions)[0];
  if (row === undefined) return null;
  // Service accounts are seen by who manages them.
  const { agents: agent, ...session } = row as unknown as AgentSession & {
    readonly agents: { readonly service_accounts: object | null } | null;
  };
  const lines = await door
    .from('task_activity')
    .select('id, project_id, task_id, actor_id, kind, change, created_at, program')
    .eq('project_id', projectId)
    .gte('created_at', session.created_at)
    .eq('program->>session', sessionId)
    .order('created_at', { ascending: false })
    .limit(mostLines);
  return {
    session,
    isManaged: (agent?.service_accounts ?? null) !== null,
    activities: dataOf(activities) as unknown as AgentActivity[],
    proposals: dataOf(proposals) as unknown as AgentProposal[],
    lines: dataOf(lines) as unknown as ActivityRow[],
  };
}
