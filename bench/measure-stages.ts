// Measures time and allocations of the pure stages for a typical request: parse, plan and write SQL, without a database.

import type { Catalog } from '../server/data/catalog/catalog.ts';
import type { Case } from './cases.ts';
import type { Stage } from './stage.ts';
import { rawRequest, writeStatement } from './statements.ts';

export interface StageFigure {
  readonly name: string;
  readonly micros: number;
  readonly kilobytes: number;
}

export function measureStages(one: Case, stage: Stage, catalog: Catalog): StageFigure {
  const raw = rawRequest(one, stage, one.bodies?.[0] ?? '');
  const rounds = 20_000;
  for (let round = 0; round < rounds; round += 1) writeStatement(raw, catalog);
  const heapBefore = process.memoryUsage().heapUsed;
  const few = 500;
  for (let round = 0; round < few; round += 1) writeStatement(raw, catalog);
  const kilobytes = Math.max(0, process.memoryUsage().heapUsed - heapBefore) / few / 1024;
  const started = process.hrtime.bigint();
  for (let round = 0; round < rounds; round += 1) writeStatement(raw, catalog);
  const micros = Number(process.hrtime.bigint() - started) / 1000 / rounds;
  return { name: one.name, micros, kilobytes };
}
