// One request to an instance. Redirects are not followed, so that a token goes to no other address than the one that was named.

import { CommandError } from '../command.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed; null without JSON. */
  readonly body: unknown;
}

const timeoutMs = 30_000;

/** `board.example.com` is meant with https; loopback names without. */
export function readAddress(text: string): string | null {
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
  const url = address + path;
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    text = await response.text();
  } catch (error) {
    throw new CommandError(`${address} can't be reached (${reasonOf(error)}). Check the address and your network`);
  }
  if (response.status >= 300 && response.status < 400 && response.status !== 304) {
    const place = response.headers.get('location');
    const at = place !== null && URL.canParse(place, url) ? new URL(place, url).origin : 'another address';
    throw new CommandError(`${address} sends on to ${at}: use that address if you trust it`);
  }
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    if (response.ok && text !== '')
      throw new CommandError(`${address} doesn't answer like a Kanbase: check the address`);
  }
  return { status: response.status, headers: response.headers, body };
}

function reasonOf(error: unknown): string {
  const { name, cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `no answer in ${timeoutMs / 1000} seconds`;
  return cause?.code ?? cause?.message ?? message;
}

/** What a refusal says, in any of the dialects of the service. */
export function faultOf({ status, body }: Answer): { readonly code: string; readonly words: string } {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const text = (...names: readonly string[]): string | undefined =>
    names.map((name) => fields[name]).find((value): value is string => typeof value === 'string' && value !== '');
  const message = text('message', 'error_description', 'msg', 'error') ?? `the answer was ${status}`;
  const hint = text('hint');
  const words = hint === undefined ? message : `${message.replace(/[.:]$/, '')}. ${hint}`;
  return { code: text('error_code', 'code', 'error') ?? String(status), words };
}
