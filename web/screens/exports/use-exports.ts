// My exports of one project, or of everything, as the server has them: asked for again every second while one of them is under way.

import { useEffect, useState } from 'react';
import { type Export, listExports, sayRefusal, useAsk } from '../../commands.ts';

const soon = 1000;

export function useExports(projectId: string | null): {
  readonly exports: readonly Export[];
  readonly fault: string | null;
  readonly again: () => void;
} {
  const ask = useAsk();
  const [all, setAll] = useState<readonly Export[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const exports = all.filter((one) => one.project_id === projectId);
  const isUnderWay = exports.some(({ state }) => state === 'waiting' || state === 'running');

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round asks again
  useEffect(() => {
    let isGone = false;
    ask(listExports).then(
      (found) => {
        if (isGone) return;
        setAll(found);
        setFault(null);
      },
      (reason) => {
        if (!isGone) setFault(sayRefusal(reason));
      },
    );
    return () => {
      isGone = true;
    };
  }, [ask, round]);

  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setInterval(() => setRound((known) => known + 1), soon);
    return () => clearInterval(timer);
  }, [isUnderWay]);

  return { exports, fault, again: () => setRound((known) => known + 1) };
}
