// One request to an instance. Redirects are not followed, so that a token goes to no other address than the one that was named.

import { CommandError, UsageError } from '../command.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed; null without JSON. */
  readonly body: unknown;
}

/** No answer, or a failure of the server: worth asking again later. */
export class UnavailableError extends CommandError {}

const timeoutMs = 30_000;

/** Not repeated when it is wrong: it may hold a password. */
export function requireAddress(text: string, source: string): string {
  const address = readAddress(text);
  if (address !== null) return address;
  throw new UsageError(
    `${source} must be an address such as https://board.example.com, without a user name or password`,
  );
}

/** `board.example.com` is meant with https; loopback names without. */
function readAddress(text: string): string | null {
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])([:/]|$)/i.test(text);
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`;
  if (!URL.canParse(whole)) return null;
  const url = new URL(whole);
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url.origin + url.pathname.replace(/\/$/, '');
}

export function isPlainAbroad(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

export async function sendRequest(address: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const { response, text } = await fetchText(address, path, init);
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    if (response.ok && text !== '')
      throw new CommandError(`${address} doesn't answer like a Kanbase: check the address`);
  }
  return { status: response.status, headers: response.headers, body };
}

export async function fetchText(
  address: string,
  path: string,
  init: RequestInit = {},
): Promise<{ readonly response: Response; readonly text: string }> {
  const url = address + path;
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    text = await response.text();
  } catch (error) {
    throw new UnavailableError(`${address} can't be reached (${reasonOf(error)}). Check the address and your network`);
  }
  if (response.status >= 300 && response.status < 400 && response.status !== 304) {
    const place = response.headers.get('location');
    const at = place !== null && URL.canParse(place, url) ? new URL(place, url).origin : 'another address';
    throw new CommandError(`${address} redirects to ${at}: use that address if you trust it`);
  }
  return { response, text };
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `no answer in ${timeoutMs / 1000} seconds`;
  // A message without a cause is about the request, and may repeat a header with the key.
  return cause?.code ?? cause?.message ?? 'the request could not be sent';
}

/** What a refusal says, in any of the dialects of the service. */
export function faultOf({ status, body }: Answer): { readonly code: string; readonly words: string } {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const text = (...names: readonly string[]): string | undefined =>
    names.map((name) => fields[name]).find((value): value is string => typeof value === 'string' && value !== '');
  const message = text('message', 'error_description', 'msg', 'error') ?? `the answer was ${status}`;
  const parts = [message, text('details'), text('hint')].filter((part) => part !== undefined);
  const words = parts.map((part, at) => (at < parts.length - 1 ? part.replace(/[.:]$/, '') : part)).join('. ');
  return { code: text('error_code', 'code', 'error') ?? String(status), words };
}
