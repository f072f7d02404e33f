// A database address read the way libpq reads it: postgres://user:password@host:port/name?sslmode=…&sslrootcert=…
// A socket directory may stand in `host=` or, percent-encoded, in the host itself. PG* variables are not consulted.

import { userInfo } from 'node:os';
import { resolve } from 'node:path';

export const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof sslModes)[number];

export interface Target {
  /** A host name, an address, or the directory of a unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string | null;
  readonly database: string;
  readonly sslmode: SslMode;
  /** Files, as libpq takes them. `system` trusts what the operating system trusts. */
  readonly sslrootcert: string | null;
  readonly sslcert: string | null;
  readonly sslkey: string | null;
  readonly sslpassword: string | null;
  readonly applicationName: string;
  readonly connectTimeoutMs: number;
  /** libpq's `options`: passed to the server as they are. Poolers refuse them. */
  readonly options: string | null;
}

const knownParameters = new Set([
  'host', 'hostaddr', 'port', 'user', 'password', 'dbname', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'ssl',
  'application_name', 'connect_timeout', 'options', 'channel_binding', 'gssencmode', 'target_session_attrs', 'keepalives', 'pgbouncer',
]); // biome-ignore format: a list

export function isSocketDirectory(host: string): boolean {
  return host.includes('/');
}

/** Where the socket of that directory is. */
export function socketPath(directory: string, port: number): string {
  return `${directory.replace(/\/+$/, '')}/.s.PGSQL.${port}`;
}

export function parseTarget(url: string): Target {
  const match = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/i.exec(url.trim());
  if (match === null) throw new Error('The database address must look like postgres://user:password@host:5432/name');
  const [, login = '', authority = '', path = '', query = ''] = match;
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys())
    if (!knownParameters.has(name)) throw new Error(`The database address has a parameter nobody knows: ${name}`);

  for (const name of ['channel_binding', 'gssencmode'])
    if (parameters.get(name) === 'require')
      throw new Error(`${name}=require is more than this client can do; use sslmode=verify-full instead`);

  const colon = login.indexOf(':');
  const loginUser = decode(colon < 0 ? login : login.slice(0, colon));
  const loginPassword = colon < 0 ? null : decode(login.slice(colon + 1));
  if (authority.includes(',')) throw new Error('The database address names several hosts; give the one to write to');
  const port = /:(\d+)$/.exec(authority);
  const hostText = port === null ? authority : authority.slice(0, port.index);
  const host = parameters.get('host') ?? (decode(hostText).replace(/^\[(.*)\]$/, '$1') || 'localhost');
  const user = parameters.get('user') ?? (loginUser || userInfo().username);
  const sslrootcert = parameters.get('sslrootcert');
  return {
    // A directory given from where we are: no host name has a slash.
    host: parameters.get('hostaddr') ?? (host.includes('/') ? resolve(host) : host),
    port: Number(parameters.get('port') ?? port?.[1] ?? 5432),
    user,
    password: parameters.get('password') ?? loginPassword,
    database: parameters.get('dbname') ?? (decode(path) || user),
    sslmode: readMode(parameters, host, sslrootcert),
    sslrootcert,
    sslcert: parameters.get('sslcert'),
    sslkey: parameters.get('sslkey'),
    sslpassword: parameters.get('sslpassword'),
    applicationName: parameters.get('application_name') ?? 'kanbase',
    connectTimeoutMs: Number(parameters.get('connect_timeout') ?? 0) * 1000 || 10_000,
    options: parameters.get('options'),
  };
}

function readMode(parameters: URLSearchParams, host: string, sslrootcert: string | null): SslMode {
  // Several providers print `ssl=true`, which libpq reads as `require`.
  const text = parameters.get('sslmode') ?? (parameters.get('ssl') === 'true' ? 'require' : null);
  if (text === null) return sslrootcert === 'system' ? 'verify-full' : isSocketDirectory(host) ? 'disable' : 'prefer';
  const mode = sslModes.find((one) => one === text);
  if (mode === undefined) throw new Error(`sslmode=${text} is not one of ${sslModes.join(', ')}`);
  return mode;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('The database address has a % that is no escape; write %25 for a percent sign');
  }
}

/** The address with the password blotted out, for people and logs. */
export function describeTarget(target: Target): string {
  const where = isSocketDirectory(target.host) ? `socket in ${target.host}` : `${target.host}:${target.port}`;
  return `${target.user}@${where}/${target.database}`;
}
