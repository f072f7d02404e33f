// People and labels that a quick line may name. They may still be on their way when a line is added: one with a name that is not known is read once
// they have come.

import { useMemo, useRef } from 'react';
import { useQuery, useScope, useSync } from '../../sync/react.tsx';
import { type Scope, scopeName } from '../../sync/rows/scopes.ts';
import type { Sync } from '../../sync/sync.ts';
import { useToday } from '../days/today.ts';
import { membersOf } from '../people/people.ts';
import { labelsOf } from '../projects/projects.ts';
import type { LineWords, TaskLine } from './read-task-line.ts';

/** Milliseconds; whoever is slower than this is written down as it was typed. */
const longest = 5000;

/** `wanted`: a line is being typed. Tells names in lines apart, now and, by `whenKnown`, when they have come. */
export function useLineWords(projectId: string, wanted: boolean) {
  const sync = useSync();
  const people = useQuery(membersOf, projectId);
  const labels = useQuery(labelsOf, projectId);
  const today = useToday();
  // Elsewhere than in its project its labels are not known yet.
  useScope(wanted && projectId !== '' ? { kind: 'project', projectId } : null);
  const { userId } = sync;
  const words = useMemo<LineWords>(() => ({ people, labels, userId, today }), [people, labels, userId, today]);
  /** The lines that wait, in their order. */
  const last = useRef<Promise<void> | null>(null);
  return {
    words,
    whenKnown(tasks: readonly TaskLine[], then: (words: LineWords) => void): void {
      const coming = tasks.some(namesUnknown) ? untilKnown(sync, projectId) : null;
      if (coming === null && last.current === null) {
        then(words);
        return;
      }
      const done = Promise.all([last.current, coming]).then(() => {
        if (last.current === done) last.current = null;
        const { store } = sync;
        then({ ...words, people: membersOf.read(store, projectId), labels: labelsOf.read(store, projectId) });
      });
      last.current = done;
    },
  };
}

const namesUnknown = ({ title }: TaskLine): boolean => /(?:^|\s)[@#]\S/.test(title);

/** Null: they are here, or can't be had. */
function untilKnown({ refetch, userId }: Sync, projectId: string): Promise<void> | null {
  const scopes: readonly Scope[] = [
    { kind: 'me', userId },
    { kind: 'project', projectId },
  ];
  const isComing = (): boolean =>
    scopes.some((scope) => ['empty', 'remembered'].includes(refetch.state(scopeName(scope)).phase));
  if (!isComing()) return null;
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      forget();
      window.removeEventListener('pagehide', done);
      resolve();
    };
    const forget = refetch.subscribe(() => isComing() || done());
    const timer = setTimeout(done, longest);
    window.addEventListener('pagehide', done);
  });
}
