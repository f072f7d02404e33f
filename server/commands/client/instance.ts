// An instance as a signed-in person or a key reaches it: rows and procedures of /rest/v1.

import { CommandError, SignInError, UsageError } from '../command.ts';
import { type Answer, faultOf, isPlainAbroad, requireAddress, sendRequest } from './send-request.ts';
import { changeSignIns, type Environment, readSignIns } from './sign-ins.ts';
import { ended, freshSignIn } from './tokens.ts';

export interface Instance {
  readonly address: string;
  /** Id of the person or account that asks. */
  me(): Promise<string>;
  /** `path` begins after /rest/v1/. */
  read<T>(path: string, query?: Query): Promise<T>;
  write<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown, query?: Query): Promise<T>;
  call<T>(procedure: string, args: Readonly<Record<string, unknown>>): Promise<T>;
  /** The answer as it comes, for as long as it takes; `path` begins with a slash. */
  stream(path: string, init: RequestInit & { readonly headers: Readonly<Record<string, string>> }): Promise<Response>;
  /** Id, key or name of the usual project. */
  readonly usualProject: string | null;
  keepUsualProject(id: string): Promise<void>;
  /** The same, for writes that are refused once the claim with this fence has ended. */
  withFence(fence: number): Instance;
}

export type Query = readonly (readonly [name: string, value: string])[];

interface Credentials {
  headers(refused: string | null): Promise<Readonly<Record<string, string>>>;
  me(): Promise<string>;
  /** Whether other tokens may follow those that are refused. */
  readonly isRenewed: boolean;
  readonly gone: () => SignInError;
}

export async function openInstance(env: Environment, wanted: string | null): Promise<Instance> {
  const key = (env.KANBASE_KEY ?? '').trim();
  const url = (env.KANBASE_URL ?? '').trim();
  const set = (): string | null => (url === '' ? null : requireAddress(url, 'KANBASE_URL'));
  const address = wanted === null ? set() : requireAddress(wanted, '--instance');
  if (key !== '') {
    const own = set();
    if (own === null)
      throw new UsageError('KANBASE_KEY is set without KANBASE_URL, the address of the instance it is for');
    // A key goes nowhere but to the address that is set beside it.
    if (address === own) return open(env, own, keyCredentials(own, requireKey(env, own, key)), null);
  }
  const { current, instances } = readSignIns(env);
  const chosen = address ?? current;
  if (chosen === null)
    throw new SignInError(
      'you aren’t signed in. Sign in: npx kanbase login ADDRESS, or set KANBASE_URL and KANBASE_KEY',
    );
  return open(env, chosen, signInCredentials(env, chosen), instances[chosen]?.project ?? null);
}

/** Not repeated when it is wrong: output of CI is read by others. */
function requireKey(env: Environment, address: string, key: string): string {
  if (!/^kb_[0-9a-f]+$/.test(key))
    throw new UsageError('KANBASE_KEY must be a key from your account: kb_ and hexadecimal digits, on one line');
  if (isPlainAbroad(address) && !/^(1|true|yes)$/i.test(env.KANBASE_INSECURE ?? ''))
    throw new CommandError(`${address} is not encrypted: use https, or set KANBASE_INSECURE=1 in a network you trust`);
  return key;
}

function signInCredentials(env: Environment, address: string): Credentials {
  return {
    isRenewed: true,
    gone: () => ended(address),
    async headers(refused) {
      const { accessToken, apiKey } = await freshSignIn(env, address, refused);
      return { apikey: apiKey, authorization: `Bearer ${accessToken}` };
    },
    async me() {
      const { accessToken } = await freshSignIn(env, address);
      const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as {
        sub: string;
      };
      return claims.sub;
    },
  };
}

function keyCredentials(address: string, key: string): Credentials {
  const headers = { authorization: `Bearer ${key}` };
  const gone = (): SignInError =>
    new SignInError(
      `${address} doesn't take KANBASE_KEY: it is wrong, expired or revoked. Create another one in your account`,
    );
  return {
    isRenewed: false,
    gone,
    headers: async () => headers,
    async me() {
      const answer = await sendRequest(address, '/auth/v1/user', { headers });
      if (answer.status === 401 || answer.status === 403) throw gone();
      if (answer.status !== 200) throw refusal(answer);
      return (answer.body as { id: string }).id;
    },
  };
}

function open(
  env: Environment,
  address: string,
  credentials: Credentials,
  kept: string | null,
  fence: number | null = null,
): Instance {
  async function send(method: string, path: string, body?: unknown, prefer?: string): Promise<Answer> {
    const ask = async (refused: string | null): Promise<readonly [Answer, string]> => {
      const headers = await credentials.headers(refused);
      const answer = await sendRequest(address, `/rest/v1/${path}`, {
        method,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(prefer === undefined ? {} : { prefer }),
          ...(fence === null ? {} : { 'claim-fence': String(fence) }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return [answer, (headers.authorization ?? '').slice('Bearer '.length)];
    };
    let [answer, token] = await ask(null);
    if (answer.status === 401 && credentials.isRenewed) [answer, token] = await ask(token);
    if (answer.status === 401) throw credentials.gone();
    if (answer.status >= 400) throw refusal(answer);
    return answer;
  }
  const withQuery = (path: string, query: Query): string =>
    query.length === 0 ? path : `${path}?${new URLSearchParams(query.map(([name, value]) => [name, value]))}`;
  let id: Promise<string> | null = null;
  return {
    address,
    me: () => (id ??= credentials.me()),
    read: async <T>(path: string, query: Query = []) => (await send('GET', withQuery(path, query))).body as T,
    write: async <T>(method: string, path: string, body: unknown, query: Query = []) =>
      (await send(method, withQuery(path, query), body, 'return=representation')).body as T,
    call: async <T>(procedure: string, args: Readonly<Record<string, unknown>>) =>
      (await send('POST', `rpc/${procedure}`, args)).body as T,
    async stream(path, init) {
      const ask = async (refused: string | null): Promise<readonly [Response, string]> => {
        const headers = await credentials.headers(refused);
        const sent = { ...init, headers: { ...init.headers, ...headers }, redirect: 'manual' as const };
        return [await fetch(address + path, sent), (headers.authorization ?? '').slice('Bearer '.length)];
      };
      let [response, token] = await ask(null);
      if (response.status === 401 && credentials.isRenewed) {
        await response.body?.cancel();
        [response, token] = await ask(token);
      }
      if (response.status === 401) throw credentials.gone();
      return response;
    },
    usualProject: env.KANBASE_PROJECT || kept,
    withFence: (number) => open(env, address, credentials, kept, number),
    async keepUsualProject(project) {
      if (!credentials.isRenewed) throw new UsageError('with KANBASE_KEY, the usual project is set as KANBASE_PROJECT');
      await changeSignIns(env, (now) => {
        const before = now.instances[address];
        if (before === undefined) throw credentials.gone();
        return { ...now, instances: { ...now.instances, [address]: { ...before, project } } };
      });
    },
  };
}

function refusal(answer: Answer): Error {
  const { code, words } = faultOf(answer);
  const more: Readonly<Record<number, string>> = {
    403: code === '42501' ? '. Your role in the project, or what this sign-in may do, does not allow it' : '',
    429: retryWords(answer),
  };
  const next = more[answer.status] ?? '';
  return new CommandError(next === '' ? words : words.replace(/\.$/, '') + next);
}

function retryWords({ headers }: Answer): string {
  const seconds = headers.get('retry-after');
  return seconds === null ? '' : `. Try again in ${seconds} seconds`;
}
