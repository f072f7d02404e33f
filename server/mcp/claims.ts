// Claims of tasks as tools say them: the task, until when, and the numbers that later calls carry.

import type { Board } from './board.ts';
import { ToolFault } from './tool-fault.ts';

export interface Claim {
  readonly id: string;
  readonly task_id: string;
  readonly project_id: string;
  readonly fence: number;
  readonly expires_at: string;
}

/** Procedures answer one row or a list of them. */
export const firstOf = (rows: Claim | readonly Claim[] | null): Claim | null =>
  (Array.isArray(rows) ? (rows as readonly Claim[])[0] : (rows as Claim | null)) ?? null;

export async function findClaim(board: Board, id: string): Promise<Claim> {
  const [claim] = /^[0-9a-f-]{36}$/i.test(id)
    ? await board.read<readonly Claim[]>('task_claims', [
        ['select', 'id,task_id,project_id,fence,expires_at'],
        ['id', `eq.${id}`],
      ])
    : [];
  if (claim !== undefined) return claim;
  throw new ToolFault('There is no such claim, or it has ended. Claim a task with claim_next_task.', 'PT404');
}

export const until = ({ expires_at: at }: Claim): string => `${at.slice(0, 19).replace('T', ' ')} UTC`;
