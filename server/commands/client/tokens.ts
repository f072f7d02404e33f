// Tokens of the command line: by the device grant (RFC 8628), renewed while the file of sign-ins is locked, and revoked.

import { commandLine } from '../../../contract/command-line.ts';
import { CommandError, SignInError } from '../command.ts';
import { type Answer, faultOf, sendRequest, UnavailableError } from './send-request.ts';
import { changeSignIns, type Environment, readSignIns, type SignIn } from './sign-ins.ts';

/** A token is renewed when less is left of it. */
const marginMs = 60_000;

export interface Device {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete?: string;
  readonly expires_in: number;
  readonly interval?: number;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

function post(address: string, path: string, fields: Readonly<Record<string, string>>): Promise<Answer> {
  return sendRequest(address, `/auth/v1/oauth/${path}`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: commandLine.id, ...fields }),
  });
}

export async function startDevice(address: string, scope: string): Promise<Device> {
  const answer = await post(address, 'device_authorization', { scope });
  if (answer.status === 200) return answer.body as Device;
  const { code, words } = faultOf(answer);
  if (code === 'unauthorized_client' || code === 'invalid_client')
    throw new CommandError(
      `${address} doesn't allow sign-in from the command line. Create a key in your account there, and set KANBASE_URL and KANBASE_KEY`,
    );
  if (answer.status === 404) throw new CommandError(`${address} doesn't answer like a Kanbase: check the address`);
  throw new CommandError(`${address} refuses: ${words}`);
}

/** `wait`: not approved yet. `slower`: asked too often. */
export async function askForTokens(address: string, device: Device): Promise<Tokens | 'wait' | 'slower'> {
  const answer = await post(address, 'token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: device.device_code,
  });
  if (answer.status === 200) return answer.body as Tokens;
  const { code, words } = faultOf(answer);
  if (code === 'authorization_pending') return 'wait';
  if (code === 'slow_down' || answer.status === 429) return 'slower';
  if (code === 'access_denied') throw new CommandError('the request was refused on the page');
  if (code === 'expired_token') throw new CommandError('the code has expired: run npx kanbase login again');
  if (answer.status >= 500) throw new UnavailableError(`${address} fails: ${words}`);
  throw new CommandError(`${address} refuses: ${words}`);
}

export function signInOf(tokens: Tokens, apiKey: string): SignIn {
  return {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    expiresAt: Date.now() + tokens.expires_in * 1000,
    apiKey,
  };
}

/**
 * Tokens that are good for a while. A refresh token is good once, so it is read and replaced under the lock; whoever waited for it finds the new
 * ones. `refused`: an access token that the instance no longer takes, whatever its time.
 */
export async function freshSignIn(env: Environment, address: string, refused: string | null = null): Promise<SignIn> {
  const isGood = (one: SignIn): boolean => one.accessToken !== refused && one.expiresAt - marginMs > Date.now();
  const known = readSignIns(env).instances[address];
  if (known === undefined) throw notSignedIn(address);
  if (isGood(known)) return known;
  let isOver = false;
  const after = await changeSignIns(env, async (now) => {
    const before = now.instances[address];
    if (before === undefined || isGood(before)) return now;
    const answer = await uninterrupted(() =>
      post(address, 'token', { grant_type: 'refresh_token', refresh_token: before.refreshToken }),
    );
    if (answer.status === 200) {
      const renewed = { ...before, ...signInOf(answer.body as Tokens, before.apiKey) };
      return { ...now, instances: { ...now.instances, [address]: renewed } };
    }
    const { code, words } = faultOf(answer);
    if (code !== 'invalid_grant' && code !== 'invalid_client')
      throw new CommandError(`${address} doesn't renew the sign-in: ${words}`);
    isOver = true;
    const { [address]: _gone, ...instances } = now.instances;
    return { ...now, instances };
  });
  const found = after.instances[address];
  if (found === undefined) throw isOver ? ended(address) : notSignedIn(address);
  return found;
}

export const ended = (address: string): SignInError =>
  new SignInError(`the sign-in at ${address} has ended. Sign in again: npx kanbase login ${address}`);

const notSignedIn = (address: string): SignInError =>
  new SignInError(`you aren't signed in at ${address}. Sign in: npx kanbase login ${address}`);

/** Ends the session there. */
export async function revoke(address: string, signIn: SignIn): Promise<void> {
  const answer = await post(address, 'revoke', { token: signIn.refreshToken });
  if (answer.status !== 200) throw new CommandError(faultOf(answer).words);
}

/** Ctrl-C between an answer and the file would lose a token that is good once. */
async function uninterrupted<T>(work: () => Promise<T>): Promise<T> {
  let interrupted = false;
  const hold = (): void => {
    interrupted = true;
  };
  process.on('SIGINT', hold);
  try {
    return await work();
  } finally {
    // After the file is written, which happens at once.
    setImmediate(() => {
      process.off('SIGINT', hold);
      if (interrupted) process.kill(process.pid, 'SIGINT');
    });
  }
}
