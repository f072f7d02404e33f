// Measures one hostile case beside another person's work: response times before, during and after it, and the server's memory. Then the server is
// killed in the middle of it, or asked to stop, and has to serve again.

import { setTimeout as pause } from 'node:timers/promises';
import type { Stage } from '../stage.ts';
import { taskId } from '../statements.ts';
import { forgetJobs, type HostileCase, openAttack } from './attack.ts';
import { type Memory, readMemory, watchMemory } from './memory.ts';
import { type Felt, feltBy, type OtherPerson, startOtherPerson } from './other-person.ts';
import { longestForOthers } from './requests.ts';

export interface Attacker {
  readonly userId: string;
  readonly project: string;
  readonly column: string;
}

export interface Beside {
  readonly name: string;
  readonly outcome: string;
  readonly before: Felt;
  readonly during: Felt;
  readonly after: Felt;
  readonly memory: { readonly before: Memory; readonly most: Memory; readonly after: Memory };
  readonly kept: Kept;
}

/** `busy`: others waited that long before it began, so their times say nothing about it; all else came as promised. */
export type Kept = 'yes' | 'no' | 'busy';

export interface Ended {
  readonly name: string;
  /** From the signal to the end of the process. */
  readonly endedMs: number;
  /** From the start to the first answer to the other person. */
  readonly servesMs: number;
  readonly felt: Felt;
  readonly kept: Kept;
}

const usualSeconds = 5;
const usualMiddleMs = 1000;
const calmMs = 1500;
/** As before within so long after it ended. */
const recoveredAfterMs = 3000;
const mostMoreMemory = 200 * 1024;
/** A stop waits for requests under way as long as SHUTDOWN_TIMEOUT_MS says, and as long again for the rest. */
const longestEndMs = 20_000;
const longestStartMs = 10_000;

const ids = Array.from({ length: 50 }, (_, index) => taskId(4, 1 + index));

export async function besideOthers(
  stage: Stage,
  hostile: HostileCase,
  attacker: Attacker,
  other: string,
): Promise<Beside> {
  const attack = await openAttack(stage, stage.token, attacker.userId, attacker.project, attacker.column, 60);
  await hostile.prepare?.(attack);
  attack.end();
  attack.outcomes.clear();
  const person = startOtherPerson(stage.url, stage.anonKey, other, ids);
  try {
    await firstAnswer(person, Date.now());
    const { seconds = usualSeconds } = hostile;
    let began = Date.now();
    await pause(calmMs);
    const before = feltBy(person, began);
    const memoryBefore = readMemory(stage);
    const running = await openAttack(stage, stage.token, attacker.userId, attacker.project, attacker.column, seconds);
    began = Date.now();
    const { together: most } = await watchMemory(stage, async () => {
      await Promise.race([hostile.run(running).catch(() => undefined), pause(seconds * 1000)]);
      running.end();
    });
    await firstAnswer(person, Date.now());
    const during = feltBy(person, began);
    await pause(recoveredAfterMs);
    began = Date.now();
    await pause(calmMs);
    const after = feltBy(person, began);
    const memoryAfter = readMemory(stage);
    const more = most.server + most.postgres - memoryBefore.server - memoryBefore.postgres;
    return {
      name: hostile.name,
      outcome: [...running.outcomes]
        .map(([status, count]) => `${count.toLocaleString('en-US')} × ${status}`)
        .join(', '),
      before,
      during,
      after,
      memory: { before: memoryBefore, most, after: memoryAfter },
      kept: judged(
        before,
        during.failed === 0 && more <= mostMoreMemory,
        during.p95Ms <= longestForOthers && after.p95Ms <= Math.max(longestForOthers / 2, before.p95Ms * 2),
      ),
    };
  } finally {
    person.stop();
    await forgetJobs(stage);
  }
}

/** In the middle of it the server gets the signal; the next one serves, and nothing of it begins again that slows others. */
export async function endedInTheMiddle(
  stage: Stage,
  hostile: HostileCase,
  { signal, attacker, other }: { signal: 'SIGKILL' | 'SIGTERM'; attacker: Attacker; other: string },
): Promise<{ ended: Ended; stage: Stage }> {
  const attack = await openAttack(stage, stage.token, attacker.userId, attacker.project, attacker.column, 60);
  await hostile.prepare?.(attack);
  const before = await calmBefore(stage, other);
  void hostile.run(attack).catch(() => undefined);
  await pause(hostile.middleMs ?? usualMiddleMs);
  const signalled = performance.now();
  process.kill(stage.pid, signal);
  while (isThere(stage.pid) && performance.now() - signalled < longestEndMs + 5000) await pause(20);
  const endedMs = performance.now() - signalled;
  attack.end();
  if (isThere(stage.pid)) process.kill(stage.pid, 'SIGKILL');
  const started = performance.now();
  const next = await stage.serveAnew({});
  const person = startOtherPerson(next.url, next.anonKey, other, ids);
  try {
    await firstAnswer(person, Date.now());
    const servesMs = performance.now() - started;
    const began = Date.now();
    await pause(calmMs);
    const felt = feltBy(person, began);
    const isServed = endedMs <= longestEndMs && servesMs <= longestStartMs && felt.failed === 0;
    const kept = judged(before, isServed, felt.p95Ms <= longestForOthers);
    return { ended: { name: `${hostile.name}, ${signal}`, endedMs, servesMs, felt, kept }, stage: next };
  } finally {
    person.stop();
    await forgetJobs(stage);
  }
}

function judged(before: Felt, isRight: boolean, isQuick: boolean): Kept {
  if (isRight && isQuick) return 'yes';
  return isRight && before.p95Ms > longestForOthers / 2 ? 'busy' : 'no';
}

async function calmBefore(stage: Stage, other: string): Promise<Felt> {
  const person = startOtherPerson(stage.url, stage.anonKey, other, ids);
  try {
    await firstAnswer(person, Date.now());
    const began = Date.now();
    await pause(calmMs);
    return feltBy(person, began);
  } finally {
    person.stop();
  }
}

/** Of what was asked since then; a server that stands still lets this wait. */
async function firstAnswer(person: OtherPerson, began: number): Promise<void> {
  const until = performance.now() + 60_000;
  while (person.since(began).times.length === 0) {
    if (performance.now() > until) throw new Error('The other person was not answered within a minute');
    await pause(10);
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
