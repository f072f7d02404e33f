// A database address as `pg` wants it.

import type { ClientConfig } from 'pg';

export function connectionOptions(url: string): ClientConfig {
  const socket = /[?&]host=([^&]+)/.exec(url);
  if (socket?.[1] !== undefined) {
    const parts = /^[a-z]+:\/\/([^@/]*)@\/([^?]*)/i.exec(url);
    return {
      host: decodeURIComponent(socket[1]),
      user: decodeURIComponent(parts?.[1] ?? ''),
      database: decodeURIComponent(parts?.[2] ?? ''),
    };
  }
  return { connectionString: url };
}
