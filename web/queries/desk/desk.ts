// What the operator's desk asks of the server: answers, not rows. The token goes in the header; cookies open nothing there.

import { useCallback, useEffect, useState } from 'react';
import { type Door, Refusal } from '../../sync/door.ts';
import type { AccountEnd } from '../people/account-end.ts';

export interface DeskAccount {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_sign_in_at: string | null;
  readonly state: 'active' | 'disabled' | 'anonymous' | 'invited' | 'unconfirmed';
  readonly is_operator: boolean;
  readonly has_factor: boolean;
  readonly sessions: number;
  readonly projects: number;
}

export interface DeskAccountWhole extends DeskAccount {
  readonly providers: readonly string[];
  readonly signed_in: readonly {
    readonly created_at: string;
    readonly last_seen_at: string;
    readonly address: string | null;
    readonly user_agent: string | null;
  }[];
  readonly member_of: readonly {
    readonly id: string;
    readonly key: string;
    readonly name: string;
    readonly role: 'owner' | 'editor' | 'viewer';
  }[];
  readonly end: Pick<AccountEnd, 'projects' | 'tasks' | 'comments'>;
}

export interface DeskEntry {
  readonly id: string;
  readonly created_at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly address: string;
}

export type DeskDeed = 'disable' | 'enable' | 'signOut' | 'resetFactors' | 'delete';

const addressOf: Readonly<Record<DeskDeed, string>> = {
  disable: 'disable',
  enable: 'enable',
  signOut: 'sign-out',
  resetFactors: 'reset-factors',
  delete: 'delete',
};

export async function askDesk(door: Door, path: string, body?: object): Promise<Response> {
  const { data, error } = await door.auth.getSession();
  if (data.session === null) throw new Refusal(error?.message ?? 'signed out', '', error ? 0 : 401);
  const authorization = `Bearer ${data.session.access_token}`;
  const response = await fetch(
    `/api/admin${path}`,
    body === undefined
      ? { headers: { authorization } }
      : {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
  ).catch((reason: Error) => {
    throw new Refusal(reason.message, '', 0);
  });
  if (response.ok) return response;
  const refused = (await response.json().catch(() => ({}))) as { error?: string; code?: string };
  throw new Refusal(refused.error ?? `HTTP ${response.status}`, refused.code ?? '', response.status);
}

export const deskAnswer = async <T>(response: Promise<Response>): Promise<T> => (await (await response).json()) as T;

export const readDeskMe = (door: Door) => deskAnswer<{ readonly email: string }>(askDesk(door, '/me'));
export const claimDesk = (door: Door, token: string) => askDesk(door, '/claim', { token });

export function readDeskAccounts(door: Door, words: string, kind: string, skip: number) {
  const query = new URLSearchParams({ words, kind, skip: String(skip) });
  return deskAnswer<{ readonly total: number; readonly accounts: readonly DeskAccount[] }>(
    askDesk(door, `/accounts?${query}`),
  );
}

export const readDeskAccount = (door: Door, id: string) =>
  deskAnswer<DeskAccountWhole>(askDesk(door, `/accounts/${id}`));

export const doAtDesk = (door: Door, id: string, deed: DeskDeed, email = '') =>
  askDesk(door, `/accounts/${id}/${addressOf[deed]}`, { email });

export const makeDeskAccount = (door: Door, made: { email: string; name: string; by: 'mail' | 'link' }) =>
  deskAnswer<{ readonly link: string | null }>(askDesk(door, '/accounts', made));

export const readDeskLog = (door: Door, words: string, before: string) =>
  deskAnswer<readonly DeskEntry[]>(askDesk(door, `/log?${new URLSearchParams({ words, before })}`));

export async function saveDeskLog(door: Door, words: string): Promise<void> {
  const response = await askDesk(door, `/log.csv?${new URLSearchParams({ words })}`);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = 'kanbase-operators.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export interface Asked<T> {
  readonly data: T | null;
  readonly failed: Refusal | null;
  again(): void;
}

/** Asked anew when `named` changes; what was known stands there until the next answer has come. */
export function useAsked<T>(named: string, read: () => Promise<T>): Asked<T> {
  const [state, setState] = useState<{ data: T | null; failed: Refusal | null }>({ data: null, failed: null });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `named` stands for what `read` asks
  useEffect(() => {
    let late = false;
    read().then(
      (data) => !late && setState({ data, failed: null }),
      (reason: unknown) => {
        const failed = reason instanceof Refusal ? reason : new Refusal(String(reason), '', 0);
        if (!late) setState((old) => ({ ...old, failed }));
      },
    );
    return () => {
      late = true;
    };
  }, [named, round]);
  return { ...state, again: useCallback(() => setRound((old) => old + 1), []) };
}
