// Scenarios of the conformance suite for authorization servers: metadata, and a grant by a code for /mcp, with a person who consents; and what a client of
// /mcp meets on the way there: a 401 that leads to the metadata of the resource, and from there to those of the server.

import { findFreePort } from '../../test/helpers/find-free-port.ts';
import { runSuite } from './suite.ts';

interface Server {
  readonly url: string;
  /** Of the person who consents. */
  readonly token: string;
  readonly serviceKey: string;
}

export async function runAuthorization(say: (line: string) => void, server: Server): Promise<string[]> {
  const { url } = server;
  const way = await readWay(url);
  const port = await findFreePort('127.0.0.1');
  const clientId = await register(server, `http://127.0.0.1:${port}/callback`);
  let consented: Promise<unknown> | null = null;
  const output = await runSuite(
    [
      ...['authorization', '--url', way.issuer, '--client-id', clientId, '--resource', way.resource],
      ...['--port', String(port)],
    ],
    (printed) => {
      const asked = new RegExp(`^${url}\\S+authorize\\?\\S+$`, 'm').exec(printed)?.[0];
      if (asked !== undefined) consented ??= consent(server, asked).catch((error: unknown) => say(String(error)));
    },
  );
  await consented;
  const passed = [...output.matchAll(/^✓ ([\w-]+): \d+ passed, 0 failed/gm)].map(([, name]) => name);
  const all = ['authorization-server-metadata-endpoint', 'authorization-code-grant'];
  say(`authorization: ${passed.length} of ${all.length} scenarios pass`);
  return all.filter((name) => !passed.includes(name)).map((name) => `authorization: ${name} fails\n${output}`);
}

/** As a client finds it that knows the address of /mcp alone. */
async function readWay(url: string): Promise<{ readonly issuer: string; readonly resource: string }> {
  const refused = await fetch(`${url}/mcp`, { method: 'POST', body: '{}' });
  const challenge = refused.headers.get('www-authenticate') ?? '';
  const [, metadata = '', scope] = /resource_metadata="([^"]+)", scope="(\w+)"/.exec(challenge) ?? [];
  if (refused.status !== 401 || scope === undefined) throw new Error(`/mcp answers ${refused.status} ${challenge}`);
  const { resource, authorization_servers: servers } = (await (await fetch(metadata)).json()) as {
    resource: string;
    authorization_servers: readonly string[];
  };
  return { issuer: servers[0] ?? '', resource };
}

async function register({ url, serviceKey }: Server, callback: string): Promise<string> {
  const { client_id: id = '' } = await ask(`${url}/auth/v1/admin/oauth/clients`, serviceKey, serviceKey, {
    ...{ client_name: 'Conformance', redirect_uris: [callback], token_endpoint_auth_method: 'none' },
  });
  return id;
}

/** As the person at the browser, who allows it and is led back. */
async function consent({ url, token, serviceKey }: Server, asked: string): Promise<void> {
  const led = await fetch(asked, { redirect: 'manual' });
  const id = new URL(led.headers.get('location') ?? '').searchParams.get('authorization_id') ?? '';
  const place = `${url}/auth/v1/oauth/authorizations/${id}`;
  await fetch(place, { headers: { apikey: serviceKey, authorization: `Bearer ${token}` } });
  const { redirect_url: back = '' } = await ask(`${place}/consent`, serviceKey, token, { action: 'approve' });
  await fetch(back);
}

async function ask(url: string, apikey: string, token: string, body: unknown): Promise<Record<string, string>> {
  const headers = { apikey, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, string>;
}
