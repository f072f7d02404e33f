// Claims of tasks as tools say them: the task, until when, and the numbers that later calls carry.

import type { Board, Query } from './board.ts';
import { keyOf, type TaskRow } from './tasks.ts';
import { ToolFault } from './tool-fault.ts';

export interface Claim {
  readonly id: string;
  readonly task_id: string;
  readonly project_id: string;
  readonly fence: number;
  readonly expires_at: string;
  readonly task?: Pick<TaskRow, 'number' | 'project'> | null;
}

/** With the key of its task. */
export const claimColumns: Query[number] = [
  'select',
  'id,task_id,project_id,fence,expires_at,task:tasks(number,project:projects(key,name))',
];
export const keyOfClaim = ({ task, task_id: id }: Claim): string =>
  task === null || task === undefined ? id : keyOf({ ...task, id });

/** Procedures answer one row or a list of them. */
export const firstOf = (rows: Claim | readonly Claim[] | null): Claim | null =>
  (Array.isArray(rows) ? (rows as readonly Claim[])[0] : (rows as Claim | null)) ?? null;

export async function findClaim(board: Board, id: string): Promise<Claim> {
  const [claim] = /^[0-9a-f-]{36}$/i.test(id)
    ? await board.read<readonly Claim[]>('task_claims', [
        ['select', 'id,task_id,project_id,fence,expires_at'],
        ['id', `eq.${id}`],
        ['user_id', `eq.${board.me}`],
      ])
    : [];
  if (claim !== undefined) return claim;
  throw new ToolFault('There is no such claim, or it has ended. Claim a task with claim_next_task.', 'PT404');
}

/** Open ones of the caller: an answer that got lost left them behind. */
export const readOwnClaims = (board: Board): Promise<readonly Claim[]> =>
  board.read('task_claims', [
    claimColumns,
    ['user_id', `eq.${board.me}`],
    ['ended_at', 'is.null'],
    ['expires_at', `gt.${new Date().toISOString()}`],
    ['order', 'expires_at,id'],
    ['limit', '50'],
  ]);

export const until = ({ expires_at: at }: Claim): string => `${at.slice(0, 19).replace('T', ' ')} UTC`;
