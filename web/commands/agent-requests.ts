// Requests about agents and their sessions: made and set by who manages them, told what to do, answered, stopped and undone by people; proposals
// accepted and rejected. Only the server can do these, since agents work there meanwhile.

import type { Database } from '../../contract/database.ts';
import type { AgentMode, ChangeLine } from '../queries/agents/sessions.ts';
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
  ) as { id: string; created_at: string };
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
      ...{ service_account_id: id, name, scope: scopeFor(mode), days: keyDays },
    }),
  ) as { token: string };
  return { id, token: key.token };
}

/** How long the first key of an agent works. */
export const keyDays = 90;

/** A token needs no more than its agent may. */
const scopeFor = (mode: AgentMode): 'read' | 'comment' | 'write' => (mode === 'propose' ? 'write' : mode);

export async function setAgent({ door }: Sync, id: string, settings: AgentSettings): Promise<void> {
  dataOf(await door.from('agents').update(settings).eq('id', id));
}

export async function delegateToAgent(sync: Sync, taskId: string, agentId: string, words: string): Promise<void> {
  receive(
    sync,
    dataOf(
      await sync.door.rpc('delegate_to_agent', {
        ...{ task_id: taskId, agent_id: agentId },
        ...(words.trim() === '' ? {} : { prompt: words }),
      }),
    ),
  );
}

export async function answerAgent({ door }: Sync, sessionId: string, words: string): Promise<void> {
  dataOf(await door.rpc('add_agent_activity', { session_id: sessionId, kind: 'prompt', body: words }));
}

export async function stopSession(sync: Sync, sessionId: string): Promise<void> {
  receive(sync, dataOf(await sync.door.rpc('stop_agent_session', { session_id: sessionId })));
}

/** It is on the board at once. */
function receive({ store }: Sync, session: Database['public']['Tables']['agent_sessions']['Row']): void {
  const { id, project_id, task_id, agent_id, user_id, state, ends_at, ended_at, version } = session;
  const row = { id, project_id, task_id, agent_id, user_id, state, ends_at, ended_at, version };
  store.receive([{ table: 'agent_sessions', row }]);
}

/** It has read words from outside, and may go on with all its rights. */
export async function confirmSession({ door }: Sync, sessionId: string): Promise<void> {
  dataOf(await door.rpc('confirm_agent_session', { session_id: sessionId }));
}

export interface UndoAnswer {
  readonly undone: readonly ChangeLine[];
  readonly stays: readonly ChangeLine[];
}

/** `dryRun`: tells what it would do. */
export async function undoSession({ door }: Sync, sessionId: string, dryRun: boolean): Promise<UndoAnswer> {
  return dataOf(await door.rpc('undo_session', { session_id: sessionId, dry_run: dryRun })) as unknown as UndoAnswer;
}

export const previewUndo = (sync: Sync, sessionId: string): Promise<UndoAnswer> => undoSession(sync, sessionId, true);

export async function acceptProposal({ door }: Sync, proposalId: string): Promise<void> {
  dataOf(await door.rpc('accept_proposal', { proposal_id: proposalId }));
}

/** How many stay open, since some of them is beyond one's rights. */
export async function acceptProposals({ door }: Sync, sessionId: string): Promise<number> {
  const answers = dataOf(await door.rpc('accept_proposals', { session_id: sessionId })) as { state: string }[];
  return answers.filter(({ state }) => state === 'open').length;
}

export async function rejectProposal({ door }: Sync, proposalId: string, reason: string): Promise<void> {
  dataOf(await door.rpc('reject_proposal', { proposal_id: proposalId, reason: reason.trim() }));
}
