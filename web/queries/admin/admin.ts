// Reads of the admin pages: answers, not rows.

import { useCallback, useEffect, useState } from 'react';
import { askServer, resultOf } from '../../sync/ask-server.ts';
import { Refusal } from '../../sync/door.ts';
import { useSync } from '../../sync/react.tsx';
import type { Sync } from '../../sync/sync.ts';
import type { AccountEnd } from '../people/account-end.ts';

export interface AdminAccount {
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

export interface AdminAccountWhole extends AdminAccount {
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

export interface AdminEntry {
  readonly id: string;
  readonly created_at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly address: string;
}

export const readAdmin = <T>({ door }: Sync, path: string) => resultOf<T>(askServer(door, `/api/admin${path}`));

export const readAdminMe = (sync: Sync) => readAdmin<{ readonly email: string }>(sync, '/me');

export function readAdminAccounts(sync: Sync, words: string, kind: string, skip: number) {
  const query = new URLSearchParams({ words, kind, skip: String(skip) });
  return readAdmin<{ readonly total: number; readonly accounts: readonly AdminAccount[] }>(sync, `/accounts?${query}`);
}

export const readAdminAccount = (sync: Sync, id: string) => readAdmin<AdminAccountWhole>(sync, `/accounts/${id}`);

export const readAdminLog = (sync: Sync, words: string, before: string) =>
  readAdmin<readonly AdminEntry[]>(sync, `/log?${new URLSearchParams({ words, before })}`);

export async function readAdminLogFile({ door }: Sync, words: string): Promise<Blob> {
  const response = await askServer(door, `/api/admin/log.csv?${new URLSearchParams({ words })}`);
  return response.blob();
}

export type Read<T> = (sync: Sync) => Promise<T>;

export interface Asked<T> {
  readonly data: T | null;
  readonly failed: Refusal | null;
  again(): void;
}

/** Asked anew when `named` changes; what was known stands there until the next answer has come. */
export function useAsked<T>(named: string, read: Read<T>): Asked<T> {
  const sync = useSync();
  const [state, setState] = useState<{ data: T | null; failed: Refusal | null }>({ data: null, failed: null });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `named` stands for what `read` asks
  useEffect(() => {
    let late = false;
    read(sync).then(
      (data) => !late && setState({ data, failed: null }),
      (reason: unknown) => {
        const failed = reason instanceof Refusal ? reason : new Refusal(String(reason), '', 0);
        if (!late) setState((old) => ({ ...old, failed }));
      },
    );
    return () => {
      late = true;
    };
  }, [sync, named, round]);
  return { ...state, again: useCallback(() => setRound((old) => old + 1), []) };
}
