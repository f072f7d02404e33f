// Headers of a request for a file: the token goes into a header, never into the address.

import { type Door, Refusal } from '../sync/door.ts';

export async function authHeaders(door: Door): Promise<{ readonly authorization: string }> {
  const { data, error } = await door.auth.getSession();
  if (data.session === null) throw new Refusal(error?.message ?? 'signed out', '', error ? 0 : 401);
  return { authorization: `Bearer ${data.session.access_token}` };
}
