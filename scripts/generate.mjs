// `npm run generate`: writes what is made from the database and from declarations: contract/, docs/configuration.md, and the types of
// classes and messages. With `--check` it writes nothing and fails when a copy is stale.

import { ensureInstalled } from './install.mjs';
import { runTypeScript } from './run-ts.mjs';

ensureInstalled();
if (!process.argv.includes('--check')) await (await import('./write-web-types.mjs')).writeWebTypes();
process.exitCode = await runTypeScript('scripts/generate/main.ts', process.argv.slice(2));
