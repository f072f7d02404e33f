// Types of apt.mjs, for tests.

export function haveProgram(name: 'postgresql-15' | 'pgbouncer' | 'nginx-light' | 'caddy' | 'systemd'): boolean;
