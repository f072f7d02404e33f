// An operator with a session, for tests of the admin API.

import type { TestApp, TestUser } from '../helpers/app.ts';

/** Any answer of the admin API: tests say what they expect of it. */
type ResponseBody = Readonly<Record<string, unknown>>;

export interface Operator extends TestUser {
  /** Asks the admin API; rejects nothing. */
  ask(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<{ status: number; body: ResponseBody }>;
}

export async function makeOperator(app: TestApp, name = 'Olga'): Promise<Operator> {
  const user = await app.createUser({ name });
  const session = crypto.randomUUID();
  await app.sql('insert into auth.sessions (id, user_id) values ($1, $2)', [session, user.id]);
  await app.sql('select private.set_operator($1, true)', [user.email]);
  const token = await app.services.sessions.sign({ sub: user.id, role: 'authenticated', session_id: session }, 600);
  return {
    ...user,
    token,
    client: app.client({ token }),
    async ask(method, path, body) {
      const answer = await app.request(`/api/admin${path}`, {
        method,
        token,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      return { status: answer.status, body: await answer.json() };
    },
  };
}
