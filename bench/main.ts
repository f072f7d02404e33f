// `npm run bench`: what each part costs, one part after the other: the data door into docs/performance.md, the identity door
// into docs/performance-identity.md, the pages into docs/performance-pages.md. `--data`, `--identity` and `--pages` choose
// among them; `--dry` prints and writes nothing. The domain's own bench is domain.ts.

import { benchData } from './data.ts';
import { benchIdentity } from './identity.ts';
import { benchPages } from './pages.ts';

const parts = { data: benchData, identity: benchIdentity, pages: benchPages };
const chosen = Object.entries(parts).filter(([name]) => process.argv.includes(`--${name}`));
for (const [, bench] of chosen.length > 0 ? chosen : Object.entries(parts)) await bench((line) => console.error(line));
