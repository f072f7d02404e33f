// A component that is fetched when it is first shown, or ahead of need. Once here it is drawn at once: React's own lazy would show
// the fallback first, and after a fallback React holds the next picture back for 300 ms.

import type { ComponentType } from 'react';
import { createElement, lazy, memo, useState } from 'react';

export type Later<P extends object> = ComponentType<P> & {
  /** Fetches it while nobody waits for it. */
  readonly fetch: () => void;
};

export function later<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): Later<P> {
  let here: ComponentType<P> | null = null;
  const fetch = async (): Promise<{ default: ComponentType<P> }> => {
    const module = await load();
    here = module.default;
    return module;
  };
  const Waiting = lazy(fetch) as unknown as ComponentType<P>;
  function Shown(props: P) {
    // Chosen once: a component that changed its kind would lose its state.
    const [Kind] = useState<ComponentType<P>>(() => here ?? Waiting);
    return createElement(Kind, props);
  }
  // A fetch that fails here fails again when the component is shown, and the error is shown then.
  return Object.assign(memo(Shown) as unknown as ComponentType<P>, {
    fetch: () => void fetch().catch(() => undefined),
  });
}
