// Settings of an import's transactions.

import type { RunOptions } from '../database/types.ts';

/** Nobody is told of what an import does, and what it brings keeps its dates. */
export const importSettings: RunOptions = { settings: [['kanbase.importing', 'on']], timeoutMs: 120_000 };
