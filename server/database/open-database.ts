// Opens the database the rooms talk to.

import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { connectionOptions } from './connection-options.ts';
import { decodeRows } from './decode-rows.ts';
import {
  type Caller,
  type Database,
  PostgresError,
  type Result,
  type RunOptions,
  type Statement,
  type Transaction,
} from './types.ts';

export interface OpenOptions {
  readonly url: string;
  /** Past any pooler: listening. The same as `url` when absent. */
  readonly directUrl?: string | null;
  readonly config: Config['database'];
  readonly log: Logger;
}

function toPostgresError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const fields: Record<string, string> = {};
  for (const name of ['schema', 'table', 'column', 'constraint', 'where', 'position'] as const) {
    const value = error[name];
    if (value !== undefined) fields[name] = value;
  }
  return new PostgresError(error.code ?? 'XX000', error.message, error.detail ?? null, error.hint ?? null, fields);
}

async function query(client: pg.PoolClient, statement: Statement): Promise<Result> {
  try {
    const result = await client.query({
      text: statement.text,
      values: [...statement.values],
      rowMode: 'array',
      types: { getTypeParser: () => (text: string) => Buffer.from(text) },
    });
    return {
      fields: result.fields.map((field) => ({ name: field.name, type: field.dataTypeID })),
      rows: result.rows as unknown as (Buffer | null)[][],
      affected: result.rowCount ?? 0,
    };
  } catch (error) {
    throw toPostgresError(error);
  }
}

export async function openDatabase(options: OpenOptions): Promise<Database> {
  const pool = new pg.Pool({ ...connectionOptions(options.url), max: options.config.poolSize });
  pool.on('error', (error) => options.log.warn({ err: error }, 'A database connection broke'));
  const version = await pool.query<{ v: number }>("select current_setting('server_version_num')::int v");

  async function transactAs<T>(
    caller: Caller,
    work: (tx: Transaction) => Promise<T>,
    run: RunOptions = {},
  ): Promise<T> {
    const client = await pool.connect();
    const timeout =
      run.timeoutMs ??
      (caller.role === 'anon'
        ? options.config.anonTimeoutMs
        : caller.role === 'authenticated'
          ? options.config.authenticatedTimeoutMs
          : 0);
    try {
      await client.query(run.readOnly ? 'begin read only' : 'begin');
      const settings: [string, string][] = [
        ['role', caller.role],
        ['request.jwt.claims', caller.claims],
        ['statement_timeout', String(timeout)],
        ...(run.settings ?? []).map(([name, value]): [string, string] => [name, value]),
      ];
      await query(client, {
        text: `select ${settings.map((_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, true)`).join(', ')}`,
        values: settings.flat(),
      });
      for (const before of run.before ?? []) await query(client, before);
      const tx: Transaction = {
        run: (statement) => query(client, statement),
        objects: async <R>(statement: Statement) => decodeRows<R>(await query(client, statement)),
      };
      const result = await work(tx);
      await client.query(run.rollback ? 'rollback' : 'commit');
      client.release();
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      client.release();
      throw toPostgresError(error);
    }
  }

  return {
    serverVersion: version.rows[0]?.v ?? 0,
    transactAs,
    runAs: (caller, statement, run) => transactAs(caller, (tx) => tx.run(statement), run),
    objectsAs: (caller, statement, run) => transactAs(caller, (tx) => tx.objects(statement), run),
    streamAs: async (caller, statement, onRow, run) => {
      const result = await transactAs(caller, (tx) => tx.run(statement), run);
      for (const row of result.rows) await onRow(row);
      return { fields: result.fields, affected: result.affected };
    },
    listen: async (channel, onMessage) => {
      const client = new pg.Client(connectionOptions(options.directUrl ?? options.url));
      await client.connect();
      client.on('notification', (message) => {
        if (message.channel === channel) onMessage(message.payload ?? '');
      });
      await client.query(`listen "${channel.replaceAll('"', '""')}"`);
      return () => client.end();
    },
    ping: async () => {
      await pool.query('select 1');
    },
    stats: () => ({ connections: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}
