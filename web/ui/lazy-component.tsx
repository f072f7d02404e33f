// A component that is fetched with its texts when it is first shown, or ahead of need. React's own lazy is not used: it shows the fallback even
// of what has been fetched, and after any fallback React holds the next picture back for 300 ms.

import { type ComponentType, memo, type ReactNode, useEffect, useState } from 'react';
import { loadModule } from '../load-module.ts';
import { loadTexts, type Texts } from '../strings/texts.ts';

export type LazyComponent<P extends object> = ComponentType<P & { readonly meanwhile?: ReactNode }> & {
  /** Fetches it while nobody waits for it. */
  readonly fetch: () => void;
};

export function lazyComponent<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  texts: readonly Texts[] = [],
): LazyComponent<P> {
  let here: ComponentType<P> | null = null;
  let coming: Promise<ComponentType<P>> | null = null;
  function fetch(): Promise<ComponentType<P>> {
    coming ??= Promise.all([loadModule(load), texts.length > 0 ? loadTexts(...texts) : null]).then(
      ([module]) => {
        here = memo(module.default) as unknown as ComponentType<P>;
        return here;
      },
      (error: unknown) => {
        // Shown again, it is fetched again.
        coming = null;
        throw error;
      },
    );
    return coming;
  }
  const fetchQuietly = (): void => void fetch().catch(() => undefined);

  function Shown({ meanwhile = null, ...props }: P & { meanwhile?: ReactNode }) {
    // Chosen once: a component that changed its kind would lose its state.
    const [Kind, setKind] = useState<ComponentType<P> | null>(() => {
      if (here === null) fetchQuietly();
      return here;
    });
    useEffect(() => {
      if (Kind !== null) return;
      let isShown = true;
      fetch().then(
        (kind) => isShown && setKind(() => kind),
        (error: unknown) =>
          isShown &&
          // Whoever catches errors of drawing catches this one.
          setKind(() => {
            throw error;
          }),
      );
      return () => {
        isShown = false;
      };
    }, [Kind]);
    return Kind === null ? meanwhile : <Kind {...(props as unknown as P)} />;
  }
  return Object.assign(Shown as unknown as ComponentType<P & { meanwhile?: ReactNode }>, { fetch: fetchQuietly });
}
