// Claims that commands of this machine hold, by instance and task, beside the sign-ins: what they write of a task bears the fence of its claim.

import { UsageError } from '../command.ts';
import type { ClientCall } from './client-command.ts';
import type { Instance } from './instance.ts';
import { type Claim, changeSignIns, readSignIns, type SignIns } from './sign-ins.ts';

export type { Claim };

const heldAt = (file: SignIns, address: string): Readonly<Record<string, Claim>> => file.claims?.[address] ?? {};

export const heldClaims = ({ env }: ClientCall, { address }: Instance): readonly Claim[] =>
  Object.values(heldAt(readSignIns(env), address));

export async function rememberClaim({ env }: ClientCall, { address }: Instance, claim: Claim): Promise<void> {
  const { id, task_id, fence, expires_at } = claim;
  await changeSignIns(env, (now) => ({
    ...now,
    claims: {
      ...now.claims,
      [address]: { ...heldAt(now, address), [task_id]: { id, task_id, fence, expires_at } },
    },
  }));
}

export async function dropClaim({ env }: ClientCall, { address }: Instance, taskId: string): Promise<void> {
  if (heldAt(readSignIns(env), address)[taskId] === undefined) return;
  await changeSignIns(env, (now) => {
    const { [taskId]: _, ...others } = heldAt(now, address);
    return { ...now, claims: { ...now.claims, [address]: others } };
  });
}

/** For what is written of a task: refused once its claim has ended, so that two don't work on it. */
export function underClaim(call: ClientCall, instance: Instance, taskId: string): Instance {
  const claim = heldClaims(call, instance).find(({ task_id: id }) => id === taskId);
  return claim === undefined ? instance : instance.withFence(claim.fence);
}

export function readSeconds(text: string | null): Readonly<Record<string, number>> {
  if (text === null) return {};
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400) return { seconds };
  throw new UsageError(`--seconds must be a whole number from 1 to 86400, not ${JSON.stringify(text)}`);
}
