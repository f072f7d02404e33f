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

export function useFetchedList<G, R>(read: Request<G, R>, given: G): AskedList<R> {
  const ask = useAsk();
  const [list, setList] = useState<R | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    ask(read, given).then(setList, (reason) => setFault(sayRefusal(reason)));
  }, [ask, read, given]);

  const run = useCallback(
    async (work: (ask: Ask) => Promise<unknown>): Promise<boolean> => {
      setBusy(true);
      setFault(null);
      try {
        await work(ask);
        setList(await ask(read, given));
        return true;
      } catch (reason) {
        setFault(sayRefusal(reason));
        return false;
      } finally {
        setBusy(false);
      }
    },
    [ask, read, given],
  );
  return { list, fault, busy, run };
}
