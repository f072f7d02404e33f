// `token_refreshed` in the audit log. Sessions are refreshed too often for a line in each one's transaction to be cheap:
// lines wait up to a second in memory and are written together, on another trip. A crash loses that second of them; when
// and from where a session was refreshed last is in its own row either way.

import type { Logger } from 'pino';
import { sql } from '../../database/sql.ts';
import type { ClientInfo, Db, User } from '../types.ts';

export interface RefreshLog {
  /** `reused`: for a token that had been exchanged before. */
  note(user: User, sessionId: string, clientInfo: ClientInfo, reused?: boolean): void;
  /** Writes what waits; resolves when it is there to be read. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface Line {
  readonly payload: Record<string, unknown>;
  readonly ip_address: string;
  readonly created_at: string;
}

const everyMs = 1000;
/** Written at once when so many wait; while the database is away no more than the second number are kept. */
const enough = 1000;
const mostLines = 20_000;

export function openRefreshLog(db: Db, log: Logger): RefreshLog {
  let waiting: Line[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    writing = writing.then(write);
    return writing;
  }

  async function write(): Promise<void> {
    const lines = waiting;
    waiting = [];
    if (lines.length === 0) return;
    try {
      await db.query(sql`
        insert into auth.audit_log_entries (payload, ip_address, created_at)
        select payload, ip_address, created_at
        from jsonb_to_recordset(${lines}::jsonb) as line (payload jsonb, ip_address text, created_at timestamptz)`);
    } catch (error) {
      log.warn({ err: error, lines: lines.length }, 'refreshed sessions could not be noted in the audit log yet');
      waiting = [...lines, ...waiting].slice(0, mostLines);
      wake();
    }
  }

  function wake(): void {
    timer ??= setTimeout(() => void flush(), everyMs).unref();
  }

  return {
    flush,
    note(user, sessionId, { address }, reused = false) {
      if (waiting.length >= mostLines) return;
      waiting.push({
        payload: {
          action: 'token_refreshed',
          actor_id: user.id,
          actor_username: user.email,
          actor_via_sso: false,
          log_type: 'token',
          traits: { session_id: sessionId, ...(reused ? { reused } : {}) },
        },
        ip_address: address,
        created_at: new Date().toISOString(),
      });
      if (waiting.length >= enough) void flush();
      else wake();
    },
    async close() {
      await flush();
      if (timer !== null) clearTimeout(timer);
    },
  };
}
