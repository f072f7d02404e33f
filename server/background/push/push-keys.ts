// The pair of keys that push messages are signed with (VAPID): made by the first node that starts, kept in the database for all, the
// private one sealed with a key of the server's.

import webPush from 'web-push';
import { roomRoles } from '../../database/room-roles.ts';
import type { Database } from '../../database/types.ts';
import { seal, unseal } from '../../session/seal.ts';

export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

interface Row {
  readonly public_key: string;
  readonly sealed_private_key: string;
}

/** Keys sealed with a JWT_SECRET that is no more are replaced; browsers that subscribed with them subscribe anew. */
export async function settlePushKeys(database: Database, key: Buffer): Promise<PushKeys> {
  let unreadable: string | null = null;
  for (let tries = 0; tries < 2; tries++) {
    const made = webPush.generateVAPIDKeys();
    const [row]: readonly Row[] = await database.objectsAs<Row>(roomRoles.mail, {
      text: 'select public_key, sealed_private_key from private.save_push_keys($1, $2, $3)',
      values: [made.publicKey, seal(made.privateKey, key), unreadable],
    });
    const privateKey: unknown = row && unseal(row.sealed_private_key, key);
    if (row && typeof privateKey === 'string') return { publicKey: row.public_key, privateKey };
    unreadable = row?.public_key ?? null;
  }
  throw new Error('The keys for push messages could not be kept');
}
