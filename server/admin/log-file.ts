// The log of operators' actions as a file for a spreadsheet: what strangers typed into it (names, addresses) stays text there.

import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { csvRow } from '../../contract/csv-row.ts';
import { sql } from '../database/sql.ts';
import type { Services } from '../services.ts';
import { callAdmin } from './call-admin.ts';

interface Entry {
  readonly id: string;
  readonly created_at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly subject_id: string | null;
  readonly address: string;
  readonly details: unknown;
}

const pageSize = 1000;

/** The first page is read before anything is answered, so that who may not read it hears so. */
export async function writeLogFile(services: Services, request: FastifyRequest, words: string): Promise<Readable> {
  const read = (before: string | null) =>
    callAdmin<readonly Entry[]>(
      services,
      request,
      sql`select private.admin_log_page(${words}, ${before}::uuid, ${pageSize}::int) as value`,
    );
  const first = await read(null);
  async function* lines(): AsyncGenerator<string> {
    yield `${csvRow(['when', 'who', 'what', 'whom', 'id', 'address', 'details'])}\r\n`;
    for (let page = first; page.length > 0; page = await read(page.at(-1)?.id ?? null)) {
      for (const { created_at, actor, action, subject, subject_id, address, details } of page)
        yield `${csvRow([created_at, actor, action, subject, subject_id, address, JSON.stringify(details)])}\r\n`;
      if (page.length < pageSize) return;
    }
  }
  return Readable.from(lines());
}
