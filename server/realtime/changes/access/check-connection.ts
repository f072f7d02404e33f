// A connection for asking policies who may see what: one of its own, so that nobody else waits behind these checks.

import type { Config } from '../../../config/config.ts';
import { SettingsWriter } from '../../../database/settings-writer.ts';
import { ShapeCache } from '../../../database/shape-cache.ts';
import type { Database, Result } from '../../../database/types.ts';
import { Connection } from '../../../database/wire/connection.ts';
import { Exchange, type Step } from '../../../database/wire/exchange.ts';
import type { Target } from '../../../database/wire/target.ts';

/** An answer that takes longer will not come any more: nobody is at the other end. */
const limitMs = 30_000;
const watchEveryMs = 1000;
/** Texts of policies kept prepared. */
const preparedBytes = 2 ** 20;

export interface AccessSettings {
  readonly database: Database;
  readonly config: Config['database'];
}

export abstract class CheckConnection {
  readonly #target: Target;
  readonly #named: boolean;
  protected readonly shapes = new ShapeCache();
  protected readonly settings: SettingsWriter;
  #opening: Promise<Connection> | null = null;
  protected closed = false;

  constructor({ database, config }: AccessSettings) {
    this.#target = database.targets.pool;
    this.#named = config.preparedStatements;
    this.settings = new SettingsWriter(config, this.shapes);
  }

  protected abstract readonly leased: boolean;

  protected connection(): Promise<Connection> {
    if (this.closed) return Promise.reject(new Error('The checks are closed'));
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<Connection> {
    try {
      const connection = await Connection.open(
        this.#target,
        { named: this.#named, preparedBytes },
        {
          onIdle: (idle) => {
            if (idle.retiring) idle.close();
          },
          onProgress: () => undefined,
          onRetry: (exchange) => {
            if (exchange.needsNewConnection) this.leave(connection);
            const retry = (on: Connection): void => {
              on.submit(exchange);
              on.flush();
            };
            if (connection.retiring) this.connection().then(retry, exchange.reject);
            else retry(connection);
          },
          onClosed: (closed, unanswered, error) => {
            clearInterval(watch);
            if (!closed.retiring) {
              this.#opening = null;
              this.onLost();
            }
            for (const exchange of unanswered) exchange.reject(error);
          },
        },
      );
      connection.leased = this.leased;
      const watch = setInterval(() => {
        if (connection.overdue(performance.now()) > 0) connection.abandon('The database stopped answering');
      }, watchEveryMs);
      watch.unref();
      return connection;
    } catch (error) {
      this.#opening = null;
      throw error;
    }
  }

  /** Functions were compiled on it with what has been dropped since: the next question opens another, and this one ends when it is answered. */
  protected leave(connection: Connection): void {
    if (!connection.retiring) this.#opening = null;
    connection.retiring = true;
  }

  protected onLost(): void {}

  protected send(connection: Connection, steps: readonly Step[]): Promise<Result> {
    return new Promise((resolve, reject) => {
      const exchange = new Exchange(steps, steps.length - 1, !this.leased, resolve, reject);
      exchange.limitMs = limitMs;
      connection.submit(exchange);
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    const connection = await this.#opening?.catch(() => null);
    connection?.close();
  }
}
