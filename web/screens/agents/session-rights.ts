// Rights of the reader on a session, as far as they are known here; the server decides.

import type { AgentSession } from '../../queries/agents/sessions.ts';
import { mayComment, mayWrite, type Reader, roleIn, useQuery, useUserId } from '../../queries.ts';

export interface SessionRights {
  /** Stops and undoes it. */
  readonly ends: boolean;
  readonly answers: boolean;
  /** Accepts and rejects what it proposes. */
  readonly decides: boolean;
}

const rightsIn = {
  read(store: Reader, projectId: string, responsibleId: string, workerId: string, userId: string): SessionRights {
    const role = roleIn.read(store, projectId, userId);
    return {
      ends: role === 'owner' || responsibleId === userId || workerId === userId,
      answers: mayComment.read(store, projectId, userId),
      decides: mayWrite(role),
    };
  },
} as const;

export function useSessionRights(session: AgentSession): SessionRights {
  const { project_id, responsible_id, user_id } = session;
  return useQuery(rightsIn, project_id, responsible_id ?? '', user_id ?? '', useUserId());
}
