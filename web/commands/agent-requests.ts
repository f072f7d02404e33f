// Requests about agents and their sessions: made and set by who manages them, told what to do, answered, stopped and undone by people; proposals
// accepted and rejected. Only the server can do these, since agents work there meanwhile.

import type { AgentMode, AgentSession } from '../queries/agents/sessions.ts';
import { dataOf } from '../sync/door.ts';
import type { Role } from '../sync/rows/rows.ts';
import type { Sync } from '../sync/sync.ts';

/** What its sessions may do, and within which limits. */
export interface AgentSettings {
  readonly about: string;
  readonly mode: AgentMode;
  readonly writes_an_hour: number;
  readonly session_minutes: number;
}

export interface NewAgent extends AgentSettings {
  readonly name: string;
  readonly role: Role;
}

/** Its key, which is told once. */
export async function createAgent(
  sync: Sync,
  projectId: string | null,
  { name, role, about, mode, ...limits }: NewAgent,
): Promise<{ readonly id: string; readonly token: string }> {
  const made = dataOf(
    await sync.door.rpc('create_agent', {
      ...{ name, about, mode },
      ...(projectId === null ? {} : { project_id: projectId, role }),
    }),
  ) as unknown as { readonly id: string; readonly created_at: string };
  const { id } = made;
  const profile = { id, display_name: name, avatar_url: '/icons/agent.svg' };
  sync.store.receive([
    { table: 'profiles', row: { ...profile, is_service_account: true, is_agent: true } },
    ...(projectId === null
      ? []
      : [
          {
            table: 'project_members' as const,
            row: { project_id: projectId, user_id: id, role, created_at: made.created_at },
          },
        ]),
  ]);
  await setAgent(sync, id, { about, mode, ...limits });
  const key = dataOf(
    await sync.door.rpc('create_service_account_key', {
      service_account_id: id,
      ...{ name, scope: scopeFor(mode), project_ids: null, days: keyDays },
    } as never),
  ) as unknown as { readonly token: string };
  return { id, token: key.token };
}

/** How long the first key of an agent works. */
export const keyDays = 90;

/** A token needs no more than its agent may. */
const scopeFor = (mode: AgentMode): 'read' | 'comment' | 'write' => (mode === 'propose' ? 'write' : mode);

export async function setAgent({ door }: Sync, id: string, settings: AgentSettings): Promise<void> {
  dataOf(await door.from('agents').update(settings).eq('id', id));
}

export async function delegateToAgent(
  sync: Sync,
  taskId: string,
  agentId: string,
  words: string,
): Promise<AgentSession> {
  const opened = dataOf(
    await sync.door.rpc('delegate_to_agent', {
      ...{ task_id: taskId, agent_id: agentId },
      ...(words.trim() === '' ? {} : { prompt: words }),
    }),
  );
  return receive(sync, opened);
}

export async function answerAgent({ door }: Sync, sessionId: string, words: string): Promise<void> {
  dataOf(await door.rpc('add_agent_activity', { session_id: sessionId, kind: 'prompt', body: words }));
}

export async function stopSession(sync: Sync, sessionId: string): Promise<void> {
  receive(sync, dataOf(await sync.door.rpc('stop_agent_session', { session_id: sessionId })));
}

/** It is on the board at once. */
function receive({ store }: Sync, answer: unknown): AgentSession {
  const session = answer as AgentSession;
  const { id, project_id, task_id, agent_id, user_id, state, ends_at, ended_at } = session;
  const row = { id, project_id, task_id, agent_id, user_id, state, ends_at, ended_at, version: session.version };
  store.receive([{ table: 'agent_sessions', row }]);
  return session;
}

/** It has read words from outside, and may go on with all its rights. */
export async function confirmSession({ door }: Sync, sessionId: string): Promise<void> {
  await call(door, 'confirm_agent_session', { session_id: sessionId });
}

export interface UndoLine {
  /** Null, like its title: of what one doesn't see. */
  readonly table: string | null;
  readonly id: unknown;
  readonly title: string | null;
  readonly columns?: readonly string[];
  readonly change?: 'insert' | 'update' | 'delete' | null;
  readonly code?: string;
  /** Why it stays, in words of the server. */
  readonly reason?: string;
}

export interface UndoAnswer {
  readonly undone: readonly UndoLine[];
  readonly stays: readonly UndoLine[];
}

/** `dryRun`: tells what it would do. */
export async function undoSession({ door }: Sync, sessionId: string, dryRun: boolean): Promise<UndoAnswer> {
  return (await call(door, 'undo_session', { session_id: sessionId, dry_run: dryRun })) as UndoAnswer;
}

export const previewUndo = (sync: Sync, sessionId: string): Promise<UndoAnswer> => undoSession(sync, sessionId, true);

export async function acceptProposal({ door }: Sync, proposalId: string): Promise<void> {
  await call(door, 'accept_proposal', { proposal_id: proposalId });
}

export async function acceptProposals({ door }: Sync, sessionId: string): Promise<void> {
  await call(door, 'accept_proposals', { session_id: sessionId });
}

export async function rejectProposal({ door }: Sync, proposalId: string, reason: string): Promise<void> {
  await call(door, 'reject_proposal', { proposal_id: proposalId, reason: reason.trim() });
}

/** Procedures whose answers are typed here. */
async function call(door: Sync['door'], name: string, args: object): Promise<unknown> {
  return dataOf(await door.rpc(name as never, args as never));
}
