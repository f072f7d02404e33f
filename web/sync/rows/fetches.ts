// Results that have to be asked for again because rows have changed: when the changes pause, and while the window is seen.

import type { Refetch } from './refetch.ts';

/** Milliseconds after the last change, and at the latest after the first. */
const rest = 300;
const longestRest = 2000;

export function openFetches(refetch: Pick<Refetch, 'refresh'>) {
  const wanted = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let since = 0;
  function run(): void {
    timer = undefined;
    if (document.visibilityState !== 'visible') return;
    const names = new Set(wanted);
    wanted.clear();
    if (names.size > 0) void refetch.refresh((name) => names.has(name));
  }
  document.addEventListener('visibilitychange', run);
  return {
    want(names: Iterable<string>): void {
      if (wanted.size === 0) since = Date.now();
      for (const name of names) wanted.add(name);
      clearTimeout(timer);
      timer = setTimeout(run, Math.max(0, Math.min(rest, since + longestRest - Date.now())));
    },
    close(): void {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', run);
    },
  };
}
