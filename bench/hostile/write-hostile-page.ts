// The tables of docs/hostile.md.

import { conditions } from '../conditions.ts';
import type { Beside, Ended, Kept } from './beside.ts';
import { inMegabytes, type Memory } from './memory.ts';
import type { Line } from './requests.ts';
import type { Apart } from './tell-apart.ts';

export const writeConditions = (): string =>
  `Taken on ${conditions()}. 200,000 tasks; Postgres is the memory of all its processes that is theirs alone, the server what it and the processes it started hold in RAM, pages they share counted once.`;

export function writeBeside(all: readonly Beside[]): string {
  const both = ({ server, postgres }: Memory): string => `${inMegabytes(server)}, ${inMegabytes(postgres)}`;
  return `${notJudged}| what one person does | what comes of it | others before: p50, p95 | while: p50, p95, longest | not answered | after 3 s: p95 | memory of server and Postgres before | at most | after | as promised |
|---|---|---|---|---:|---|---|---|---|---|
${all
  .map(({ name, outcome, before, during, after, memory, kept }) =>
    row(
      name,
      outcome,
      `${before.p50}, ${before.p95}`,
      `${during.p50}, ${during.p95}, ${during.longest}`,
      String(during.failed),
      after.p95,
      both(memory.before),
      both(memory.most),
      both(memory.after),
      yes(kept),
    ),
  )
  .join('\n')}`;
}

export function writeEnded(all: readonly Ended[]): string {
  return `${notJudged}| in the middle of | the process has ended after | the next one serves after | others then: p95 | as promised |
|---|---:|---:|---:|---|
${all.map(({ name, endedMs, servesMs, felt, kept }) => row(name, `${Math.round(endedMs)} ms`, `${Math.round(servesMs)} ms`, felt.p95, yes(kept))).join('\n')}`;
}

export function writeRequests(lines: readonly Line[]): string {
  return `What connections have prepared stays with them until they are replaced, so a row begins where the one above it ended.

| request | what comes of it | Postgres at most | server at most |
|---|---|---:|---:|
${lines.map(({ what, outcome, peak }) => row(what, outcome, inMegabytes(peak.postgres), inMegabytes(peak.server))).join('\n')}`;
}

export function writeClock(apart: readonly Apart[]): string {
  return `| question | later when it is there | median there, and nowhere | chance reaches |
|---|---:|---:|---:|
${apart.map(({ what, later, chance, there, nowhere }) => row(what, later.toFixed(3), `${there.toFixed(2)} ms, ${nowhere.toFixed(2)} ms`, `${(0.5 - chance).toFixed(3)} to ${(0.5 + chance).toFixed(3)}`)).join('\n')}`;
}

const notJudged =
  'Not judged: the other person waited longer than half of what is promised already before it began, since others used the machine.\n\n';
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const yes = (kept: Kept): string => ({ yes: 'yes', no: '**no**', busy: 'not judged' })[kept];
