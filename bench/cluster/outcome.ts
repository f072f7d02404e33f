// Outcome of a cluster run, fault by fault and in all, compared with the promise.

import type { Ledger } from './load.ts';

/** What became of a fault. */
export interface Outcome {
  readonly name: string;
  /** Seconds after the beginning of the run. */
  readonly at: number;
  /** The longest time, from the fault until all was well, in which no write was acknowledged to anybody. */
  readonly stood: number;
  /** The longest that one writer waited for one write. */
  readonly waited: number;
  /** Until all three machines were in their places again. */
  readonly whole: number;
  readonly roles: string;
}

export interface Totals {
  readonly seconds: number;
  readonly acknowledged: number;
  readonly failed: number;
  readonly refused: number;
  readonly lost: number;
  readonly doubled: number;
  readonly files: number;
  readonly filesWrong: number;
  readonly listeners: number;
  readonly listenersBehind: number;
  readonly events: number;
  readonly readAgain: number;
  readonly reads: Ledger['reads'];
  /** Acknowledged writes in each second. */
  readonly bySecond: readonly number[];
  readonly versions: string;
}

/** Seconds in which writes go on, without a person. */
const mostStill = 15;

export function notAsPromised(outcomes: readonly Outcome[], totals: Totals): string[] {
  const none = {
    'acknowledged writes are lost': totals.lost,
    'acknowledged writes are there twice': totals.doubled,
    'files are lost or not as they were sent': totals.filesWrong,
    'listeners missed something, or somebody had to help them': totals.listenersBehind,
    'reads showed less than was acknowledged before them': totals.reads.stale,
  };
  return [
    ...Object.entries(none).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : [])),
    ...(totals.acknowledged === 0 ? ['nothing was acknowledged at all'] : []),
    // A fault after which nothing was acknowledged has no such time.
    ...outcomes
      .filter(({ stood }) => !(stood < mostStill))
      .map(({ name, stood }) => `no write for ${stood.toFixed(1)} s: ${name}`),
  ];
}
