// A list that only the server has: asked for when it is shown and after each change that is made here, refusals in words.

import { useCallback, useEffect, useState } from 'react';
import { type Ask, sayRefusal, useAsk } from '../../commands.ts';

type Request<G, R> = Parameters<Ask>[0] extends (sync: infer S, ...rest: never) => unknown
  ? (sync: S, given: G) => Promise<R>
  : never;

export interface AskedList<R> {
  readonly list: R | null;
  readonly fault: string | null;
  readonly busy: boolean;
  /** Reads the list again afterwards. Resolves to whether both worked. */
  readonly run: (work: (ask: Ask) => Promise<unknown>) => Promise<boolean>;
}

interface Answer<G, R> extends Pick<AskedList<R>, 'list' | 'fault'> {
  readonly given: G;
}

const nothing = { list: null, fault: null };

export function useFetchedList<G, R>(read: Request<G, R>, given: G): AskedList<R> {
  const ask = useAsk();
  const [answer, setAnswer] = useState<Answer<G, R> | null>(null);
  const [busy, setBusy] = useState(false);
  // Of what was asked for before, and answers late, nothing is shown.
  const { list, fault } = answer !== null && answer.given === given ? answer : nothing;

  useEffect(() => {
    let isLeft = false;
    const show = (next: Answer<G, R>): void => {
      if (!isLeft) setAnswer(next);
    };
    ask(read, given).then(
      (list) => show({ given, list, fault: null }),
      (reason) => show({ given, list: null, fault: sayRefusal(reason) }),
    );
    return () => {
      isLeft = true;
    };
  }, [ask, read, given]);

  const run = useCallback(
    async (work: (ask: Ask) => Promise<unknown>): Promise<boolean> => {
      const show = (next: Answer<G, R>): void =>
        setAnswer((shown) => (shown === null || shown.given === given ? next : shown));
      setBusy(true);
      show({ given, list, fault: null });
      try {
        await work(ask);
        show({ given, list: await ask(read, given), fault: null });
        return true;
      } catch (reason) {
        show({ given, list, fault: sayRefusal(reason) });
        return false;
      } finally {
        setBusy(false);
      }
    },
    [ask, read, given, list],
  );
  return { list, fault, busy, run };
}
