// Rights of the reader on a session, as far as they are known here; the server decides.

import type { WholeSession } from '../../queries/agents/sessions.ts';
import { mayComment, mayWrite, type Reader, roleIn, useQuery, useUserId } from '../../queries.ts';

export interface SessionRights {
  /** Stops and undoes it. */
  readonly ends: boolean;
  readonly answers: boolean;
  /** Accepts and rejects what it proposes. */
  readonly decides: boolean;
  /** Lets it go on with all its rights after it has read words from outside. */
  readonly confirms: boolean;
}

const rightsIn = {
  read(
    store: Reader,
    projectId: string,
    responsibleId: string,
    workerId: string,
    isManaged: boolean,
    userId: string,
  ): SessionRights {
    const role = roleIn.read(store, projectId, userId);
    const answersFor = isManaged || role === 'owner' || responsibleId === userId;
    return {
      ends: answersFor || workerId === userId,
      answers: mayComment.read(store, projectId, userId),
      decides: mayWrite(role),
      confirms: answersFor && mayWrite(role),
    };
  },
} as const;

export function useSessionRights({ session, isManaged }: WholeSession): SessionRights {
  const { project_id, responsible_id, user_id } = session;
  return useQuery(rightsIn, project_id, responsible_id ?? '', user_id ?? '', isManaged, useUserId());
}
