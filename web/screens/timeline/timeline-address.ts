// Zoom and marked tasks of the timeline, kept in the address beside the filters, so that they can be shared.

import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { isDay } from '../../../contract/read-view.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import { type Zoom, zooms } from './scale.ts';

export interface TimelineAddress {
  readonly zoom: Zoom;
  /** The day one was sent to; null: none. */
  readonly day: string | null;
  readonly critical: boolean;
  /** What waits for a task moves along with it. */
  readonly along: boolean;
  set(patch: { readonly zoom?: Zoom; readonly critical?: boolean; readonly along?: boolean }): void;
}

export function useTimelineAddress(): TimelineAddress {
  const [params, setParams] = useSearchParams();
  const narrow = useNarrow();
  const asked = ['zoom', 'day', 'critical', 'along'].map((name) => params.get(name) ?? '').join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` stands for the parameters
  return useMemo(() => {
    const day = params.get('day') ?? '';
    return {
      zoom: zooms.find((one) => one === params.get('zoom')) ?? (narrow ? 'month' : 'week'),
      day: isDay(day) ? day : null,
      critical: params.has('critical'),
      along: params.has('along'),
      set: ({ zoom, ...switches }) =>
        setParams(
          (old) => {
            const next = new URLSearchParams(old);
            if (zoom) next.set('zoom', zoom);
            for (const [name, on] of Object.entries(switches))
              if (on) next.set(name, '1');
              else next.delete(name);
            return next;
          },
          { replace: true },
        ),
    };
  }, [asked, setParams, narrow]);
}
