// Runs `kanbase doctor`: every check in turn, then a verdict.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { checkDatabase } from '../doctor/check-database.ts';
import { checkMachine } from '../doctor/check-machine.ts';
import { checkSettings } from '../doctor/check-settings.ts';
import { broken, type Finding, good, reasonOf, sayFinding } from '../doctor/finding.ts';
import type { User } from '../effective-user.ts';
import { openLog } from '../open-log.ts';
import { type ReachedDatabase, reachDatabase } from '../reach-database.ts';
import { textsIn } from '../texts/texts.ts';
import type { Call } from './command.ts';
import { ownerOfData } from './data-ownership.ts';
import { findClosedPath } from './find-closed-path.ts';

const marks = { good: 'ok  ', thought: 'note', broken: 'BAD ' } as const;

export async function runDoctor({ config, flags, say }: Call): Promise<number> {
  const findings: Finding[] = [...(await checkMachine(config, servesAs(config))), ...checkSettings(config)];
  const log = openLog(config);
  let reached: ReachedDatabase | null = null;
  try {
    if (hasNoDatabaseYet(config)) findings.push(good('health.database.later'));
    else {
      reached = await reachDatabase(config, log);
      findings.push(...(await checkDatabase(config, reached, log)));
    }
  } catch (error) {
    const reason = reasonOf(error);
    findings.push(
      config.database.url === null
        ? broken('health.database.notStarted', 'health.database.guide', { reason })
        : broken('health.said', 'health.database.checkAddress', { words: reason, name: 'DATABASE_URL' }),
    );
  } finally {
    await reached?.stop();
  }
  const bad = findings.filter((finding) => finding.state === 'broken').length;
  const said = findings.map((one) => sayFinding(one, textsIn('en')));
  if (flags.has('json')) say(JSON.stringify(said, null, 2));
  else {
    for (const { state, about, next } of said)
      say(`${marks[state]}  ${about}${next === undefined ? '' : `\n      → ${next}`}`);
    say(bad === 0 ? '\nKanbase can serve.' : `\n${bad} ${bad === 1 ? 'thing needs' : 'things need'} mending.`);
  }
  return bad === 0 ? 0 : 1;
}

/** As whom a start leaves root; null: this process is not root, or a start would have to stay it (`drop-root.ts`). */
function servesAs(config: Config): User | null {
  const owner = ownerOfData(config);
  return owner === null || findClosedPath(owner, config) !== null ? null : owner;
}

/** Looking must not make one. */
function hasNoDatabaseYet({ server, database }: Config): boolean {
  return database.url === null && !existsSync(join(server.dataDir, 'postgres'));
}
