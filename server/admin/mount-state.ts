// Admin routes for the state of the server: version, settings, findings, database, files, backups and jobs. Facts of the process are sent only after
// the database has confirmed that an operator asks.

import { statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Cron } from 'croner';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { sql } from '../database/sql.ts';
import { findingOf } from '../doctor/check-proxies.ts';
import { type Finding, sayFinding } from '../doctor/finding.ts';
import { described } from '../http/describe-routes.ts';
import { pageLanguage } from '../http/page-language.ts';
import { packageVersion } from '../package-root.ts';
import type { Services } from '../services.ts';
import { textsIn } from '../texts/texts.ts';
import { callAdmin } from './call-admin.ts';
import { countRequests } from './count-requests.ts';
import * as says from './described.ts';

export function mountState(door: FastifyInstance, services: Services): void {
  const { config } = services;
  const began = new Date();
  const who = (request: FastifyRequest) => callAdmin(services, request, sql`select private.admin_me() as value`);

  door.get('/state', described(says.readState), async (request) => {
    await who(request);
    const [proxies, examined] = await Promise.all([services.proxies.list(), services.examine()]);
    // What was noticed a moment ago is not among what was examined some seconds before.
    const isExamined = ({ about, values }: Finding): boolean =>
      examined.some((one) => one.about === about && one.values.address === values.address);
    const noticed = proxies.map(findingOf).filter((one) => !isExamined(one));
    const texts = textsIn(pageLanguage(request));
    return {
      version: packageVersion(),
      node: process.versions.node,
      site: services.siteUrl,
      started_at: began.toISOString(),
      findings: [...noticed, ...examined].map((one) => sayFinding(one, texts)),
    };
  });

  const counts = countRequests(services);
  door.addHook('onClose', () => counts.stop());
  door.get('/requests', described(says.readRequests), async (request) => {
    await who(request);
    // Of this process to the moment, of others to the minute.
    await counts.tell();
    return callAdmin(services, request, sql`select private.admin_requests() as value`);
  });

  door.get('/database', described(says.readDatabase), async (request) => ({
    ...(await callAdmin<object>(services, request, sql`select private.admin_database() as value`)),
    embedded: config.database.url === null,
    unsettled: await services.unsettledMigrations(),
  }));

  door.get('/files', described(says.readFiles), async (request) => ({
    ...(await callAdmin<object>(services, request, sql`select private.admin_files() as value`)),
    ...(await placeOfFiles(config)),
  }));

  door.get('/backups', described(says.readBackups), async (request) => ({
    ...(await callAdmin<object>(services, request, sql`select private.admin_backups() as value`)),
    ...scheduleOf(config),
  }));

  door.get('/jobs', described(says.readJobs), (request) =>
    callAdmin(services, request, sql`select private.admin_jobs() as value`),
  );
}

async function placeOfFiles({ files, server }: Config): Promise<{ place: string; free_bytes: number | null }> {
  if (files.s3Bucket !== null && files.backend !== 'disk') return { place: `s3://${files.s3Bucket}`, free_bytes: null };
  const place = resolve(files.directory ?? join(server.dataDir, 'files'));
  // Not there before the first file.
  const found = await statfs(place).catch(() => statfs(server.dataDir).catch(() => null));
  return { place, free_bytes: found === null ? null : found.bavail * found.bsize };
}

function scheduleOf({ backup, server }: Config): object {
  const { schedule, keep, directory, passphrase } = backup;
  if (schedule === null) return { schedule: null };
  const next = new Cron(schedule, { timezone: 'UTC', paused: true }).nextRun();
  return {
    schedule,
    keep,
    place: directory ?? resolve(server.dataDir, 'backups'),
    holds_secrets: passphrase !== null,
    next_at: next?.toISOString() ?? null,
  };
}
