// docs/build/oauth.md: its program registers, asks for access and reads tasks, and a service account's client gets a token, as written.

import { createClient } from '@supabase/supabase-js';
import * as oidc from 'openid-client';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { filledIn, guideBlock } from '../helpers/guide-block.ts';

const app = forSuite(startApp);
const guide = 'build/oauth';
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  ...parts: readonly string[]
) => (...values: readonly unknown[]) => Promise<unknown>;

const withSockets: typeof createClient = (url, key, options) =>
  createClient(url, key, { ...options, realtime: { transport: WebSocket as never } });

test('the program of docs/build/oauth.md signs a person in and reads their tasks', async () => {
  const person = app.client();
  await person.auth.signUp({ email: 'reader@example.test', password: 'secret1' });
  const { data: project } = await person.rpc('create_project_with_defaults', { name: 'Harbour' });
  const { data: columns } = await person.from('workflow_columns').select('id').limit(1);
  const task = { project_id: project.id, column_id: columns?.[0]?.id, title: 'Paint the crane' };
  expect((await person.from('tasks').insert(task)).error).toBeNull();

  const consent = async (address: URL): Promise<URL> => {
    const sent = await fetch(address, { redirect: 'manual' });
    const page = new URL(sent.headers.get('location') ?? '');
    const id = page.searchParams.get('authorization_id') ?? '';
    const { data } = await person.auth.oauth.approveAuthorization(id, { skipBrowserRedirect: true });
    return new URL(data?.redirect_url ?? '');
  };
  const asking = filledIn(guideBlock(guide, 'js', 'buildAuthorizationUrl'), {
    "import * as oidc from 'openid-client';": '',
  });
  const program = [
    guideBlock(guide, 'js', 'createClient({\n  client_name'),
    asking,
    'const comesBack = await consent(address);',
    guideBlock(guide, 'js', 'authorizationCodeGrant'),
    'return { tasks, tokens };',
  ].join('\n');
  const given = {
    ...{
      admin: app.client({ key: app.serviceKey }),
      oidc,
      createClient: withSockets,
      consent,
      url: app.url,
      ANON_KEY: app.anonKey,
    },
    issuer: new URL(`${app.url}/auth/v1`),
    options: { execute: [oidc.allowInsecureRequests] },
  };
  const { tasks, tokens } = (await new AsyncFunction(...Object.keys(given), program)(...Object.values(given))) as {
    tasks: unknown;
    tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;
  };
  expect(tasks).toEqual([{ id: expect.any(String), title: 'Paint the crane' }]);
  expect(tokens.claims()?.email).toBe('reader@example.test');
});

test('the client of a service account gets a token as docs/build/oauth.md says', async () => {
  const supabase = app.client();
  await supabase.auth.signUp({ email: 'keeper@example.test', password: 'secret1' });
  const { data: account } = await supabase.rpc('create_service_account', { name: 'Release bot' });
  const given = {
    ...{ supabase, oidc, service_account_id: (account as { id: string }).id },
    issuer: new URL(`${app.url}/auth/v1`),
    options: { execute: [oidc.allowInsecureRequests] },
  };
  const program = `${guideBlock(guide, 'js', 'clientCredentialsGrant')}\nreturn access_token;`;
  const token = (await new AsyncFunction(...Object.keys(given), program)(...Object.values(given))) as string;
  const { data } = await app.client({ token }).from('projects').select('id');
  expect(data).toEqual([]);
});
