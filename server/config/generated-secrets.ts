// Generated secrets: made on first start and kept in `secrets.json` of the data directory, mode 0600. Secrets set by the operator are never written
// there.

import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { ConfigError } from './read-config.ts';

export interface GeneratedSecrets {
  readonly jwtSecret: string;
  readonly publishableKey: string;
  readonly secretKey: string;
}

/** Whether something must be kept because the operator set it nowhere. */
export function needsGeneratedSecrets({ server }: Pick<Config, 'server'>): boolean {
  return server.jwtSecret === null || server.publishableKeys.length === 0 || server.secretKeys.length === 0;
}

export function secretsPath(dataDir: string): string {
  return join(dataDir, 'secrets.json');
}

/** Reads what is kept; makes it first when there is nothing yet. Two processes that race agree on one file. */
export function loadGeneratedSecrets(dataDir: string): GeneratedSecrets {
  const path = secretsPath(dataDir);
  const kept = readSecrets(path);
  if (kept !== null) return kept;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const made: GeneratedSecrets = {
    jwtSecret: randomBytes(48).toString('base64url'),
    publishableKey: `sb_publishable_${randomBytes(24).toString('base64url')}`,
    secretKey: `sb_secret_${randomBytes(24).toString('base64url')}`,
  };
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flush: true });
  try {
    // A link refuses to replace: whoever comes second reads what the first one made.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readSecrets(path) ?? made;
}

/** Puts secrets of a backup where the service looks for them. What was there stays beside, under the other name. */
export function writeSecrets(dataDir: string, secrets: GeneratedSecrets, aside: string): void {
  const path = secretsPath(dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (existsSync(path)) renameSync(path, aside);
  writeFileSync(path, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
}

function readSecrets(path: string): GeneratedSecrets | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    const { jwtSecret, publishableKey, secretKey } = JSON.parse(text) as Partial<GeneratedSecrets>;
    if (jwtSecret && publishableKey && secretKey) return { jwtSecret, publishableKey, secretKey };
  } catch {
    // Told below: what is in it does not matter, that it cannot be used does.
  }
  throw new ConfigError(
    `${path} is damaged: restore it from a backup, or remove it to have new secrets made (everyone signs in again)`,
  );
}
