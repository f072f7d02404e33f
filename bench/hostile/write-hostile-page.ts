// Figures of hostile requests for docs/figures.md: what was promised of how many cases, and each case in a table of its own.

import { conditions } from '../conditions.ts';
import { csv } from '../page.ts';
import type { Beside, Ended, Kept } from './beside.ts';
import { inMegabytes, type Memory } from './memory.ts';
import type { Line } from './requests.ts';
import type { Apart } from './tell-apart.ts';

export interface Part {
  readonly figures: string;
  readonly files?: Readonly<Record<string, string>>;
}

export const writeConditions = (): string => `${conditions()}.`;

export function writeBeside(all: readonly Beside[]): Part {
  const both = ({ server, postgres }: Memory) => [inMegabytes(server), inMegabytes(postgres)];
  return {
    figures: `${verdictOf(all)} [Each case](figures/hostile-beside.csv).`,
    files: {
      'hostile-beside.csv': csv(
        'what one person does|what comes of it|others before: p50|p95|while: p50|p95|longest|not answered|after 3 s: p95|server before|Postgres before|server at most|Postgres at most|server after|Postgres after|as promised',
        all.map(({ name, outcome, before, during, after, memory, kept }) => [
          ...[name, outcome, before.p50, before.p95, during.p50, during.p95, during.longest, during.failed, after.p95],
          ...[...both(memory.before), ...both(memory.most), ...both(memory.after), said[kept]],
        ]),
      ),
    },
  };
}

export const writeEnded = (all: readonly Ended[]): Part => ({
  figures: `${verdictOf(all)} It ended within ${most(all.map(({ endedMs }) => endedMs))} and served again within ${most(all.map(({ servesMs }) => servesMs))}. [Each case](figures/hostile-killed.csv).`,
  files: {
    'hostile-killed.csv': csv(
      'in the middle of|the process has ended after|the next one serves after|others then: p95|as promised',
      all.map(({ name, endedMs, servesMs, felt, kept }) => [
        ...[name, most([endedMs]), most([servesMs]), felt.p95, said[kept]],
      ]),
    ),
  },
});

export const writeRequests = (lines: readonly Line[]): Part => ({
  figures: `At most: Postgres ${mostOf(lines, 'postgres')}, the server ${mostOf(lines, 'server')}. [Each request](figures/hostile-requests.csv); a row begins where the one above it ended.`,
  files: {
    'hostile-requests.csv': csv(
      'request|what comes of it|Postgres at most|server at most',
      lines.map(({ what, outcome, peak }) => [what, outcome, inMegabytes(peak.postgres), inMegabytes(peak.server)]),
    ),
  },
});

export const writeClock = (apart: readonly Apart[]): Part => ({
  figures: `${apart.length} questions; beyond chance: ${beyondChance(apart)}. [Each question](figures/hostile-clock.csv).`,
  files: {
    'hostile-clock.csv': csv(
      'question|later when it is there|median there, and nowhere|chance reaches',
      apart.map(({ what, later, chance, there, nowhere }) => [
        ...[what, later.toFixed(3), `${there.toFixed(2)} ms, ${nowhere.toFixed(2)} ms`],
        reach(chance),
      ]),
    ),
  },
});

const mostOf = (lines: readonly Line[], side: keyof Line['peak']): string =>
  inMegabytes(Math.max(...lines.map(({ peak }) => peak[side])));

const reach = (chance: number): string => `${(0.5 - chance).toFixed(3)} to ${(0.5 + chance).toFixed(3)}`;

const beyondChance = (apart: readonly Apart[]): string =>
  apart
    .filter(({ later, chance }) => Math.abs(later - 0.5) > chance)
    .map(({ what, later, chance }) => `${what} ${later.toFixed(3)} (chance: ${reach(chance)})`)
    .join('; ') || 'none';

function verdictOf(all: readonly { readonly name: string; readonly kept: Kept }[]): string {
  const named = (kept: Kept): string =>
    all
      .filter((one) => one.kept === kept)
      .map(({ name }) => name)
      .join('; ');
  const [broken, busy] = [named('no'), named('busy')];
  return [
    `As promised: ${all.filter(({ kept }) => kept === 'yes').length} of ${all.length}.`,
    ...(broken === '' ? [] : [`**Not: ${broken}.**`]),
    ...(busy === ''
      ? []
      : [`Not judged, since others used the machine and the other person waited long already before: ${busy}.`]),
  ].join(' ');
}

const most = (ms: readonly number[]): string => `${Math.round(Math.max(...ms))} ms`;
const said: Readonly<Record<Kept, string>> = { yes: 'yes', no: 'no', busy: 'not judged' };
