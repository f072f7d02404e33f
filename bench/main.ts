// `npm run bench`: what each part costs, one part after the other: the data door into docs/performance.md, the identity door
// into docs/performance-identity.md, the pages into docs/performance-pages.md, live changes into docs/performance-realtime.md,
// files into docs/performance-files.md, exports and imports into docs/performance-carry.md. `--data`, `--identity`, `--pages`, `--realtime`, `--files`
// and `--carry` choose among them; `--dry` prints and writes nothing. `--wire` compares
// clients of Postgres instead, `--wire-door` the whole door with each of them, `--hostile` shows what requests made to hurt cost,
// `--growth` shows what requests cost in larger houses, into docs/performance-growth.md; `--vs URL` puts another server of PostgREST's protocol beside ours. The domain's own bench is domain.ts.

import { benchCarry } from './carry.ts';
import { benchData } from './data.ts';
import { benchFiles } from './files.ts';
import { benchGrowth } from './growth.ts';
import { benchHostile } from './hostile.ts';
import { benchIdentity } from './identity.ts';
import { benchPages } from './pages.ts';
import { benchPeer } from './peer.ts';
import { benchRealtime } from './realtime.ts';
import { benchWire } from './wire.ts';
import { benchWireDoor } from './wire-door.ts';

const parts = {
  data: benchData,
  identity: benchIdentity,
  pages: benchPages,
  realtime: benchRealtime,
  files: benchFiles,
  carry: benchCarry,
};
const more = { wire: benchWire, 'wire-door': benchWireDoor, hostile: benchHostile, growth: benchGrowth, vs: benchPeer };
const chosen = Object.entries({ ...parts, ...more }).filter(([name]) => process.argv.includes(`--${name}`));
for (const [, bench] of chosen.length > 0 ? chosen : Object.entries(parts)) await bench((line) => console.error(line));
