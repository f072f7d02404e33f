// Hostile requests, files, pictures, texts and rules against a running server: measures memory, delays for other users, state after a kill, and
// timing leaks, into docs/figures.md. `--dry` only prints, `--only=beside,kills` chooses among requests, beside, kills and clock, `--case=picture`
// among the cases of beside and kills by name. A broken promise is printed and exits with 1.

import { flag } from '../flag.ts';
import { writeFigures } from '../page.ts';
import { openStage, type Stage } from '../stage.ts';
import { taskId } from '../statements.ts';
import { plantAttacker } from './attack.ts';
import { type Beside, besideOthers, type Ended, endedInTheMiddle, type Kept } from './beside.ts';
import { bodyCases } from './cases-bodies.ts';
import { contentCases } from './cases-content.ts';
import { inMegabytes, readMemory } from './memory.ts';
import { ask, crowdOut, floodStatements, type Line, memberOf, multiplyRows, sendHalves } from './requests.ts';
import { tellApart } from './tell-apart.ts';
import {
  type Part,
  writeBeside,
  writeClock,
  writeConditions,
  writeEnded,
  writeRequests,
} from './write-hostile-page.ts';

type Say = (line: string) => void;

/** Whatever one asks, Postgres and the server each stay below so many megabytes. */
const mostMegabytes = 512;
const all = [...bodyCases, ...contentCases];

export async function benchHostile(say: Say): Promise<void> {
  await benchOn(await openStage(say), say);
}

/** Closes the stage. Each part is written when it is done, so that one that breaks off takes no other with it. */
export async function benchOn(given: Stage, say: Say): Promise<void> {
  let stage = given;
  const only = flag('only')?.split(',') ?? ['requests', 'beside', 'kills', 'clock'];
  const isAsked = (part: string): boolean => only.includes(part);
  const cases = all.filter(({ name }) => name.includes(flag('case') ?? ''));
  const publish = ({ figures, files }: Part, name: string): void =>
    writeFigures(name, `${writeConditions()}\n\n${figures}`, { ...(files ? { files } : {}), part: true });
  try {
    await ask(stage, `/tasks?id=eq.${taskId(4, 1)}`);
    if (isAsked('requests')) publish(writeRequests(await askRequests(stage, say)), 'hostile: requests');
    // Each case has a server of its own: no budget used up, no job left over from the case before.
    stage = await stage.serveAnew({});
    const attacker = await plantAttacker(stage);
    const other = await stage.tokenFor(await memberOf(stage, 4));
    const felt: Beside[] = [];
    const ended: Ended[] = [];
    for (const hostile of isAsked('beside') ? cases : []) {
      stage = await stage.serveAnew({});
      const one = await besideOthers(stage, hostile, attacker, other);
      felt.push(one);
      const { before, during, after } = one;
      say(
        `${one.name}: ${one.outcome}; others p95 ${before.p95} before, ${during.p95} (longest ${during.longest}) while, ${after.p95} after`,
      );
      judgeBeside(one.kept, say);
    }
    if (felt.length > 0) publish(writeBeside(felt), 'hostile: beside others');
    for (const hostile of isAsked('kills') ? cases : [])
      for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
        const { ended: one, stage: next } = await endedInTheMiddle(stage, hostile, { signal, attacker, other });
        stage = next;
        ended.push(one);
        say(
          `${one.name}: ended after ${Math.round(one.endedMs)} ms, serves after ${Math.round(one.servesMs)} ms, others p95 ${one.felt.p95} (longest ${one.felt.longest})`,
        );
        judgeBeside(one.kept, say);
      }
    if (ended.length > 0) publish(writeEnded(ended), 'hostile: killed');
    if (isAsked('clock')) {
      stage = await stage.serveAnew({});
      publish(writeClock(await tellApart(stage, say)), 'hostile: clock');
    }
  } finally {
    await stage.close();
  }
}

async function askRequests(stage: Stage, say: Say): Promise<Line[]> {
  const lines: Line[] = [];
  const note = (line: Line): void => {
    lines.push(line);
    const { postgres, server } = line.peak;
    say(`${line.what}: ${line.outcome}; at most Postgres ${inMegabytes(postgres)}, server ${inMegabytes(server)}`);
    judge(line.kept && Math.max(postgres, server) <= mostMegabytes * 1024, say);
  };
  note({ what: 'at rest', outcome: '', peak: readMemory(stage), kept: true });
  await floodStatements(stage, note);
  await multiplyRows(stage, note);
  await sendHalves(stage, note);
  await crowdOut(stage, note);
  return lines;
}

function judgeBeside(kept: Kept, say: Say): void {
  if (kept === 'busy') say('   (others waited long before it began: not judged)');
  judge(kept !== 'no', say);
}

function judge(kept: boolean, say: Say): void {
  if (kept) return;
  say('   ← NOT AS PROMISED');
  process.exitCode = 1;
}
