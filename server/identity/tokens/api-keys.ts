// Source of keys for sessions: looks up keys of people, and notes their use. Their rights are those of the person, narrowed by scope and projects;
// `act` names the key in history and comments.

import { sql } from '../../database/sql.ts';
import type { Claims, KeySource } from '../../session/types.ts';
import type { IdentityContext } from '../identity-context.ts';

interface Found {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly scope: string;
  readonly project_ids: string[] | null;
  readonly expires_at: number | null;
  readonly email: string | null;
}

export function keySource(context: Pick<IdentityContext, 'query' | 'log'>): KeySource {
  return {
    async find(hash) {
      const [key] = await context.query<Found>(sql`select * from auth.find_api_key(${hash})`);
      return key === undefined ? null : claimsOf(key);
    },
    noteUse(keyId, address) {
      context
        .query(sql`select auth.note_key_use(${keyId}::uuid, ${address})`)
        .catch((error: unknown) => context.log.warn({ err: error }, 'the use of a key was not noted'));
    },
  };
}

function claimsOf({ id, user_id, name, scope, project_ids, expires_at, email }: Found): Claims {
  return {
    sub: user_id,
    role: 'authenticated',
    aud: 'authenticated',
    ...(email === null ? {} : { email }),
    key_id: id,
    scope,
    ...(project_ids === null ? {} : { projects: project_ids }),
    ...(expires_at === null ? {} : { exp: Math.floor(expires_at) }),
    act: { kind: 'key', sub: id, name },
  };
}
