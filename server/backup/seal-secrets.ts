// The secrets of an instance under a passphrase: a key by scrypt, sealed with AES-256-GCM, so that a wrong passphrase is noticed.

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { BackupProblem } from './manifest.ts';

const cost = { N: 2 ** 16, r: 8, p: 1 } as const;
const maxmem = 128 * 1024 * 1024;

export function seal(secrets: unknown, passphrase: string): string {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', scryptSync(passphrase, salt, 32, { ...cost, maxmem }), iv);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()]);
  const text = (bytes: Buffer): string => bytes.toString('base64');
  return JSON.stringify({
    ...cost,
    salt: text(salt),
    iv: text(iv),
    tag: text(cipher.getAuthTag()),
    sealed: text(sealed),
  });
}

export function unseal(text: string, passphrase: string): unknown {
  const { salt, iv, tag, sealed } = partsOf(text);
  const bytes = (part: string): Buffer => Buffer.from(part, 'base64');
  const key = scryptSync(passphrase, bytes(salt), 32, { ...cost, maxmem });
  const decipher = createDecipheriv('aes-256-gcm', key, bytes(iv), { authTagLength: 16 });
  decipher.setAuthTag(bytes(tag));
  try {
    return JSON.parse(Buffer.concat([decipher.update(bytes(sealed)), decipher.final()]).toString('utf8'));
  } catch (cause) {
    throw new BackupProblem('The passphrase is not the one this backup was made with: check BACKUP_PASSPHRASE.', {
      cause,
    });
  }
}

type Parts = Record<'salt' | 'iv' | 'tag' | 'sealed', string>;

function partsOf(text: string): Parts {
  try {
    const { salt, iv, tag, sealed } = JSON.parse(text) as Parts;
    if ([salt, iv, tag, sealed].every((part) => typeof part === 'string')) return { salt, iv, tag, sealed };
  } catch {
    // It is none, as where a part is missing.
  }
  throw new BackupProblem('The sealed secrets in the backup cannot be read: the file is damaged.');
}
