// Compares sets of rules by age. Rules are edited in place, so the database records every set it has had: an old node that restarts beside newer ones
// must not restore rules that they have replaced.

import { digestOf, type Rule } from './read-rules.ts';

export interface RuleSet {
  readonly digest: string;
  /** The version of Kanbase that brought it. */
  readonly version: string;
}

/** `sets` in the order in which they came. A set that was there before is earlier, unless a later version brings it back. */
export function orderOf(
  rules: readonly Rule[],
  sets: readonly RuleSet[],
  version: string | undefined,
): 'earlier' | 'same' | 'later' {
  const latest = sets.at(-1);
  const digest = digestOf(rules);
  if (rules.length === 0 || latest?.digest === digest) return 'same';
  if (latest === undefined) return 'later';
  const step = version === undefined ? 0 : compareVersions(version, latest.version);
  if (step !== 0) return step > 0 ? 'later' : 'earlier';
  return sets.some((one) => one.digest === digest) ? 'earlier' : 'later';
}

/** Below 0 when the first is the earlier one. What is in development comes before its release. */
function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => /^(\d+)\.(\d+)\.(\d+)(-?)/.exec(version)?.slice(1) ?? []);
  for (let at = 0; at < 3; at++) {
    const step = Number(a?.[at] ?? 0) - Number(b?.[at] ?? 0);
    if (step !== 0) return step;
  }
  return (a?.[3] === '-' ? 0 : 1) - (b?.[3] === '-' ? 0 : 1);
}
