// Text of contract/database.ts, for people who write programs against an instance. A build has it inside (scripts/build.mjs).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';

export const databaseTypes = (): string => readFileSync(join(packageRoot(), 'contract/database.ts'), 'utf8');
