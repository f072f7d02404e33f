// An identity provider for tests of /scim/v2: made by an operator, with a token, and the requests that it sends.

import { makeOperator, type Operator } from '../admin/operator.ts';
import type { TestApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export interface ScimAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ScimAnswer>;
  /** The resource; rejects any other answer than 201. */
  addUser(email: string, more?: Record<string, unknown>): Promise<ScimAnswer['body']>;
  addGroup(displayName: string, members?: readonly string[]): Promise<ScimAnswer['body']>;
  patch(path: string, ...operations: readonly Record<string, unknown>[]): Promise<ScimAnswer>;
  found(path: string): Promise<readonly string[]>;
}

export async function sendScim(
  app: TestApp,
  token: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ScimAnswer> {
  const answer = await app.request(`/scim/v2${path}`, {
    method,
    token,
    headers: { 'content-type': 'application/scim+json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}

export async function makeProvider(app: TestApp, operator: Operator, name: string, onTrial = false): Promise<Provider> {
  const { status, body } = await operator.ask('POST', '/providers', { name, on_trial: onTrial });
  if (status !== 200) throw new Error(`no provider: ${JSON.stringify(body)}`);
  const { id, token } = body as { id: string; token: string };
  const send: Provider['send'] = (method, path, sent, headers) => sendScim(app, token, method, path, sent, headers);
  const add = async (path: string, resource: object) => {
    const answer = await send('POST', path, resource);
    if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    id,
    name,
    token,
    send,
    addUser: (email, more = {}) =>
      add('/Users', {
        schemas: [userSchema],
        userName: email,
        emails: [{ type: 'work', primary: true, value: email }],
        active: true,
        ...more,
      }),
    addGroup: (displayName, members = []) =>
      add('/Groups', { schemas: [groupSchema], displayName, members: members.map((value) => ({ value })) }),
    patch: (path, ...operations) => send('PATCH', path, { schemas: [patchSchema], Operations: operations }),
    async found(path) {
      const { body: page } = await send('GET', path);
      return (page.Resources as { userName?: string; displayName?: string }[]).map(
        (one) => one.userName ?? one.displayName ?? '',
      );
    },
  };
}

/** For a file: `const entra = provider(app, 'Entra')`. */
export const provider = (app: TestApp, name: string): Provider =>
  forSuite(
    async () => makeProvider(app, await makeOperator(app, `Operator of ${name}`), name),
    () => undefined,
  );

/** What applying a trial would change; rejects any other answer than 200. */
export async function previewTrial(operator: Operator, id: string): Promise<ScimAnswer['body']> {
  const { status, body } = await operator.ask('POST', `/providers/${id}/trial/preview`, {});
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}
export const applyTrial = async (operator: Operator, id: string) =>
  operator.ask('POST', `/providers/${id}/trial/apply`, { version: (await previewTrial(operator, id)).version });

/** Signs in by a link, as people without a password do. */
export async function signIn(app: TestApp, email: string) {
  const made = await app.client({ key: app.serviceKey }).auth.admin.generateLink({ type: 'magiclink', email });
  if (made.error) throw made.error;
  const client = app.client();
  const { data, error } = await client.auth.verifyOtp({
    type: 'email',
    token_hash: made.data.properties?.hashed_token ?? '',
  });
  return { client, error, token: data.session?.access_token ?? '', id: data.user?.id ?? '' };
}
