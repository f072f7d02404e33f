// Addresses of databases: `postgres://user@host/name?sslmode=…`, a socket directory going into `host=`.

/** An address through a unix socket in `directory`. */
export function socketUrl(directory: string, user: string, database: string): string {
  return `postgres://${encodeURIComponent(user)}@/${encodeURIComponent(database)}?host=${encodeURIComponent(directory)}`;
}

/** The same server and login, another database. */
export function withDatabase(url: string, database: string): string {
  return url.replace(/^([a-z]+:\/\/[^/?]*)(\/[^?]*)?/i, `$1/${encodeURIComponent(database)}`);
}

/** The same server and database, another login. */
export function withUser(url: string, user: string): string {
  return url.replace(/^([a-z]+:\/\/)([^@/?]*@)?/i, `$1${encodeURIComponent(user)}@`);
}
