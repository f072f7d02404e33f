// The two statements of a request, the caller's settings and the query, as text with values.

import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { readConfig } from '../server/config/read-config.ts';
import type { Catalog } from '../server/data/catalog/catalog.ts';
import { loadCatalog } from '../server/data/catalog/load-catalog.ts';
import { planRequest } from '../server/data/plan/plan-request.ts';
import { writeQuery } from '../server/data/query/write-query.ts';
import { type RawRequest, readRequest } from '../server/data/request/read-request.ts';
import { requestSettings, searchPaths } from '../server/data/request-settings.ts';
import { openDatabase } from '../server/database/open-database.ts';
import { SettingsWriter } from '../server/database/settings-writer.ts';
import { ShapeCache } from '../server/database/shape-cache.ts';
import type { Statement, Value } from '../server/database/types.ts';
import type { Case } from './cases.ts';
import type { Stage } from './stage.ts';

export const taskId = (project: number, task: number): string =>
  createHash('md5')
    .update(`${project}/${task}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

export const SETTINGS = {
  schemas: ['public'],
  transactionOverride: false,
  maxRows: 1000,
  aggregates: false,
  plans: false,
  maxEmbedDepth: 8,
  maxEmbeds: 50,
  legacyTargetNames: true,
};

export async function readStageCatalog(stage: Pick<Stage, 'databaseUrl'>): Promise<Catalog> {
  const { config } = readConfig({ env: { DATABASE_URL: stage.databaseUrl } });
  const log = pino({ level: 'silent' });
  const database = await openDatabase({ url: stage.databaseUrl, config: config.database, log });
  try {
    return await loadCatalog(database, { schemas: ['public'], extraSearchPath: ['public'] });
  } finally {
    await database.close();
  }
}

export function rawRequest(one: Case, stage: Pick<Stage, 'anonKey' | 'token'>, body: string): RawRequest {
  const [path = '', query = ''] = one.path.replace('{id}', taskId(one.project, 1)).split('?');
  return {
    method: one.method,
    path,
    query,
    headers: {
      host: '127.0.0.1',
      apikey: stage.anonKey,
      authorization: `Bearer ${stage.token}`,
      ...(one.prefer === undefined ? {} : { prefer: one.prefer }),
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
    },
    body: Buffer.from(body),
  };
}

export function writeStatement(
  raw: RawRequest,
  catalog: Catalog,
): { statement: Statement; readOnly: boolean; settings: (readonly [string, string])[] } {
  const request = readRequest(raw, SETTINGS);
  const plan = planRequest(request, catalog, SETTINGS);
  if (plan.kind === 'info' || plan.kind === 'inspect') throw new Error('Not a request for rows');
  const query = writeQuery(plan, {
    catalog,
    preferences: request.preferences,
    range: request.range,
    maxRows: SETTINGS.maxRows,
    limits: { bytes: 67_108_864, embeddedRows: 100_000 },
    seesAll: false,
  });
  const routine = plan.kind === 'call' ? plan.routine.settings : undefined;
  return {
    statement: query.statement,
    readOnly: query.readOnly,
    settings: requestSettings(
      raw,
      request,
      { searchPaths: searchPaths(['public'], ['public']), appSettings: [] },
      undefined,
      routine,
    ),
  };
}

/** Both statements of the round trip. */
export function writePair(
  raw: RawRequest,
  catalog: Catalog,
  stage: Stage,
): readonly [settings: Statement, query: Statement] {
  const { config } = readConfig({ env: {} });
  const { statement, readOnly, settings } = writeStatement(raw, catalog);
  const writer = new SettingsWriter(config.database, new ShapeCache());
  const step = writer.write({ role: 'authenticated', claims: stage.claims }, { readOnly, settings });
  return [step.statement, statement];
}

export const asText = (value: Value): string =>
  value === null ? '' : typeof value === 'string' ? value : value.toString();
