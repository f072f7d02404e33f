// What a run of the cluster came to, fault by fault and in all.

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
