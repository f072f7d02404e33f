// Writes figures and plot of an upgrade run into docs/figures.md.

import { conditions } from '../conditions.ts';
import type { Verdict } from '../crash/check.ts';
import { failuresOf, type Ledger } from '../crash/ledger.ts';
import { csv, ms, ratio, whole, writeFigures } from '../page.ts';
import { plotLines } from '../plots.ts';
import { at } from '../quantile.ts';
import type { OlderCommit } from './older-build.ts';

export interface Phase {
  readonly name: string;
  readonly stands: 'before' | 'migrating' | 'both' | 'after';
  readonly at: number;
}

export interface Upgrade {
  readonly commit: OlderCommit;
  readonly phases: readonly Phase[];
  readonly endedAt: number;
  /** Until the first new node served, its migrations included. */
  readonly cameMs: number;
  readonly migrations: readonly string[];
  readonly ledger: Pick<Ledger, 'answered' | 'refusals' | 'faults'>;
  readonly left: Verdict;
  readonly unready: readonly string[];
  readonly exitCodes: readonly (number | null)[];
  readonly heard: {
    readonly listeners: number;
    readonly unheard: number;
    readonly events: number;
    readonly readAgain: number;
  };
  readonly session: { readonly times: number; readonly failures: readonly string[] };
  readonly tasksBefore: number;
}

export function writeUpgradePage(run: Upgrade): void {
  writeFigures('upgrade', page(run), {
    files: {
      'upgrade.svg': draw(run),
      'upgrade.csv': csv('while|requests a second beside before|a second|for|p50|p99|longest', rows(run)),
    },
  });
}

function page(run: Upgrade): string {
  const { commit, ledger, left, heard, session, migrations, cameMs } = run;
  return `${conditions()}. Two nodes of commit ${commit.hash} (${commit.date}) were replaced by two of this version.

| while that went on | |
|---|---:|
| ways in which requests failed | **${whole(failuresOf(ledger).length)}**, of ${whole(ledger.answered.length)} requests |
| acknowledged writes lost | **${whole(left.lost.length)}** of ${whole(left.acknowledged)} |
| tasks twice | **${whole(left.twice.length)}** |
| what does not fit together | **${whole(left.wrong.length)}** |
| tasks unheard by one of ${heard.listeners} listeners | **${whole(heard.unheard)}**; ${whole(heard.events)} live changes came, and they read again by themselves ${heard.readAgain === 1 ? 'once' : `${whole(heard.readAgain)} times`} |
| failed questions about a session | **${whole(session.failures.length)}**, with one session refreshed ${whole(session.times)} times by whichever node its turn fell to |
| a serving node was not ready | **${whole(run.unready.length)}**, each asked twice a second |

![Requests a second while nodes are replaced](figures/upgrade.svg)

[Each phase](figures/upgrade.csv). The database had ${whole(run.tasksBefore)} tasks. The first new node served after ${ms(cameMs)}, with ${whole(migrations.length)} migrations.
`;
}

function rows({ phases, endedAt, ledger }: Upgrade): string[][] {
  let first = 0;
  return phases.map(({ name, at: from }, place) => {
    const to = phases[place + 1]?.at ?? endedAt;
    const seconds = (to - from) / 1000;
    const times = within(ledger.answered, from, to).map((one) => one.ms);
    const rate = times.length / seconds;
    if (place === 0) first = rate;
    const waits = [0.5, 0.99, 1].map((share) => ms(at(times, share)));
    return [name, ratio(rate, first), whole(rate), `${seconds.toFixed(1)} s`, ...waits];
  });
}

const within = (answered: Ledger['answered'], from: number, to: number): Ledger['answered'] =>
  answered.filter((one) => one.at >= from && one.at < to);

const lines = {
  before: 'the old nodes alone',
  migrating: 'a new one migrates',
  both: 'old and new',
  after: 'the new nodes alone',
} as const;

/** A line for each state of things, from where the one before it ended. */
function draw({ phases, endedAt, ledger }: Upgrade): string {
  const begunAt = phases[0]?.at ?? 0;
  const perSecond = new Array<number>(Math.floor((endedAt - begunAt) / 1000)).fill(0);
  for (const { at: moment } of ledger.answered) {
    const second = Math.floor((moment - begunAt) / 1000);
    if (second < perSecond.length) perSecond[second] = (perSecond[second] ?? 0) + 1;
  }
  const stateAt = (second: number): Phase['stands'] =>
    phases.findLast(({ at: from }) => from <= begunAt + (second + 0.5) * 1000)?.stands ?? 'before';
  return plotLines({
    title: 'Requests while nodes are replaced',
    across: 'seconds',
    unit: 'a second',
    lines: Object.entries(lines).map(([state, name]) => ({
      name,
      points: perSecond
        .map((count, second) => [second, count] as const)
        .filter(([second]) => stateAt(second) === state || stateAt(second + 1) === state),
    })),
  });
}
