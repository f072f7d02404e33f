// Readers to whom access to a project is explained: its owners, and operators.

import { roleIn, useQuery, useUserId } from '../../queries.ts';
import { useSession } from '../../session/react.tsx';

export function useIsOperator(): boolean {
  return useSession().user?.operator === true;
}

export function useExplainsAccess(projectId: string): boolean {
  const owner = useQuery(roleIn, projectId, useUserId()) === 'owner';
  return useIsOperator() || owner;
}
