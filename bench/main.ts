// `npm run bench`: what each part costs, one part after the other, each into its page below docs/. `-- --data --pages` chooses
// among the parts; `--dry` prints and writes nothing, `--quick` gives rough figures. What stands under `more` only runs
// when it is named.

import { benchAgainst } from './against.ts';
import { benchBackup } from './backup.ts';
import { benchClaims } from './claims/bench-claims.ts';
import { benchCluster } from './cluster/bench-cluster.ts';
import { benchCrash } from './crash/bench-crash.ts';
import { benchData } from './data.ts';
import { benchFiles } from './files.ts';
import { benchFuzz } from './fuzz.ts';
import { benchGroups } from './groups.ts';
import { benchGrowth } from './growth.ts';
import { benchHostile } from './hostile/bench-hostile.ts';
import { benchIdentity } from './identity.ts';
import { benchImportsAndExports } from './imports-and-exports.ts';
import { benchLoad } from './load.ts';
import { benchMcp } from './mcp/bench-mcp.ts';
import { benchPages } from './pages.ts';
import { benchPeer } from './peer.ts';
import { benchPolicies } from './policies.ts';
import { benchRealtime } from './realtime.ts';
import { benchUpgrade } from './upgrade/bench-upgrade.ts';
import { benchWebhooks } from './webhooks.ts';
import { benchWorkers } from './workers.ts';

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** The data door, signing in, pages, live changes, files; exports and imports. */
const parts = {
  data: benchData,
  identity: benchIdentity,
  pages: benchPages,
  realtime: benchRealtime,
  files: benchFiles,
  imports: benchImportsAndExports,
};
const more = {
  /** Requests made to hurt, requests that nobody would ask, and who may do what at every door. */
  hostile: benchHostile,
  fuzz: benchFuzz,
  policies: benchPolicies,
  /** Killed while people write; hundreds of people at work. */
  crash: benchCrash,
  load: benchLoad,
  /** A queue of tasks, and clients that are killed. */
  claims: benchClaims,
  /** Larger instances; many groups, and a person in many of them. */
  growth: benchGrowth,
  groups: benchGroups,
  /** Another version of this one (`--against DIR`). */
  against: benchAgainst,
  /** Nodes of an earlier commit replaced by nodes of this one, while people work (`--upgrade [COMMIT]`). */
  upgrade: benchUpgrade,
  /** Another server of PostgREST's protocol (`--vs URL`); several processes; three machines broken one after the other. */
  vs: benchPeer,
  workers: benchWorkers,
  cluster: benchCluster,
  /** Fifty changes a second with twenty webhooks. */
  webhooks: benchWebhooks,
  /** The conformance suite of the Model Context Protocol. */
  mcp: benchMcp,
  /** A backup, its proof and its restore. */
  backup: benchBackup,
};
const chosen = Object.entries({ ...parts, ...more }).filter(([name]) => process.argv.includes(`--${name}`));
for (const [, bench] of chosen.length > 0 ? chosen : Object.entries(parts)) await bench((line) => console.error(line));
