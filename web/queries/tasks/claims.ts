// Claims of tasks: by whom, and until when. One whose time has run out counts no longer, whether the server has ended it or not.

import { useEffect, useState } from 'react';
import { type Query, useQuery } from '../../sync/react.tsx';
import type { ClaimRow } from '../../sync/rows/rows.ts';
import { nameThrough } from '../people/name-through.ts';
import { nameOf } from '../people/people.ts';

interface OpenClaim extends ClaimRow {
  /** The person, and the program they claimed it through. */
  readonly name: string;
}

const claimOf: Query<[taskId: string], OpenClaim | null> = {
  read(store, taskId) {
    const claim = store.where('task_claims', 'task_id', taskId).find((one) => one.ended_at === null);
    if (claim === undefined) return null;
    return { ...claim, name: nameThrough(nameOf(store.get('profiles', claim.user_id)), claim.program) };
  },
};

/** The longest a timer of a browser waits. */
const longestMs = 2 ** 31 - 1;

export function useClaim(taskId: string): OpenClaim | null {
  const claim = useQuery(claimOf, taskId);
  const end = claim === null ? 0 : Date.parse(claim.expires_at);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const left = end - Date.now();
    if (left <= 0) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(left + 1, longestMs));
    return () => clearTimeout(timer);
  }, [end]);
  return end > Math.max(now, Date.now()) ? claim : null;
}
