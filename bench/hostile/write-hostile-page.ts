// The tables of docs/hostile.md.

import { conditions } from '../conditions.ts';
import { table } from '../page.ts';
import type { Beside, Ended, Kept } from './beside.ts';
import { inMegabytes, type Memory } from './memory.ts';
import type { Line } from './requests.ts';
import type { Apart } from './tell-apart.ts';

export const writeConditions = (): string =>
  `Taken on ${conditions()}. 200,000 tasks; Postgres is the memory of all its processes that is theirs alone, the server what it and the processes it started hold in RAM, pages they share counted once.`;

export function writeBeside(all: readonly Beside[]): string {
  const both = ({ server, postgres }: Memory): string => `${inMegabytes(server)}, ${inMegabytes(postgres)}`;
  return `${notJudged}${table(
    'what one person does | what comes of it | others before: p50, p95 | while: p50, p95, longest | >not answered | after 3 s: p95 | memory of server and Postgres before | at most | after | as promised',
    all.map(({ name, outcome, before, during, after, memory, kept }) => [
      ...[name, outcome, `${before.p50}, ${before.p95}`, `${during.p50}, ${during.p95}, ${during.longest}`],
      ...[during.failed, after.p95, both(memory.before), both(memory.most), both(memory.after), yes(kept)],
    ]),
  )}`;
}

export const writeEnded = (all: readonly Ended[]): string =>
  `${notJudged}${table(
    'in the middle of | >the process has ended after | >the next one serves after | >others then: p95 | as promised',
    all.map(({ name, endedMs, servesMs, felt, kept }) => [
      ...[name, `${Math.round(endedMs)} ms`, `${Math.round(servesMs)} ms`, felt.p95, yes(kept)],
    ]),
  )}`;

export const writeRequests = (lines: readonly Line[]): string =>
  `What connections have prepared stays with them until they are replaced, so a row begins where the one above it ended.

${table(
  'request | what comes of it | >Postgres at most | >server at most',
  lines.map(({ what, outcome, peak }) => [what, outcome, inMegabytes(peak.postgres), inMegabytes(peak.server)]),
)}`;

export const writeClock = (apart: readonly Apart[]): string =>
  table(
    'question | >later when it is there | >median there, and nowhere | >chance reaches',
    apart.map(({ what, later, chance, there, nowhere }) => [
      ...[what, later.toFixed(3), `${there.toFixed(2)} ms, ${nowhere.toFixed(2)} ms`],
      `${(0.5 - chance).toFixed(3)} to ${(0.5 + chance).toFixed(3)}`,
    ]),
  );

const notJudged =
  'Not judged: the other person waited longer than half of what is promised already before it began, since others used the machine.\n\n';
const yes = (kept: Kept): string => ({ yes: 'yes', no: '**no**', busy: 'not judged' })[kept];
