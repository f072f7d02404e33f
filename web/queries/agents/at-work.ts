// Agents as rows tell of them: those of a project, at work on a task, and with open proposals.

import { type Query, useQuery } from '../../sync/react.tsx';
import { nameOf } from '../people/people.ts';

export type SessionState = 'pending' | 'active' | 'awaiting_input' | 'complete' | 'error' | 'stale';

/** An agent at work on a task, as a card shows it. */
export interface AgentAtWork {
  readonly sessionId: string;
  readonly userId: string;
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly state: SessionState;
}

/** The one that waits for a person first, else the newest. */
export const agentAtWork: Query<[taskId: string], AgentAtWork | null> = {
  read(store, taskId) {
    const open = store.where('agent_sessions', 'task_id', taskId).filter((one) => one.ended_at === null);
    open.sort((one, other) => (one.id < other.id ? 1 : -1));
    const session = open.find(({ state }) => state === 'awaiting_input') ?? open[0];
    if (session === undefined) return null;
    const profile = store.get('profiles', session.user_id ?? '');
    return {
      ...{ sessionId: session.id, userId: session.user_id ?? '', name: nameOf(profile) },
      ...{ avatarUrl: profile?.avatar_url ?? null, state: session.state as SessionState },
    };
  },
};

/** Of the history of a task that is open here, beside what runs and waits. */
export const hasSessions: Query<[taskId: string], boolean> = {
  read: (store, taskId) =>
    store.where('agent_sessions', 'task_id', taskId).some((one) => one.ended_at === null) ||
    store.where('agent_proposals', 'task_id', taskId).some((one) => one.decided_at === null) ||
    store.where('task_activity', 'task_id', taskId).some(({ program }) => sessionIn(program) !== null),
};

export const openProposalsIn: Query<[sessionId: string, projectId: string], number> = {
  read: (store, sessionId, projectId) =>
    store
      .where('agent_proposals', 'project_id', projectId)
      .filter((one) => one.session_id === sessionId && one.decided_at === null).length,
};

/** The session that something was written in. */
export function sessionIn(program: unknown): string | null {
  const { session } = (program ?? {}) as { session?: unknown };
  return typeof session === 'string' ? session : null;
}

/** Agents that are in a project. */
export const agentsIn: Query<[projectId: string], readonly { readonly id: string; readonly name: string }[]> = {
  read: (store, projectId) =>
    store.where('project_members', 'project_id', projectId).flatMap(({ user_id }) => {
      const profile = store.get('profiles', user_id);
      return profile?.is_agent === true ? [{ id: user_id, name: nameOf(profile) }] : [];
    }),
};

/** Agents, or programs of people, are at work in it, or may be. */
export const hasAgents: Query<[projectId: string], boolean> = {
  read: (store, projectId) =>
    agentsIn.read(store, projectId).length > 0 || store.count('agent_sessions', 'project_id', projectId) > 0,
};

export const useAgentAtWork = (taskId: string): AgentAtWork | null => useQuery(agentAtWork, taskId);
