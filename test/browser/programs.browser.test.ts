// Programs: a person is asked whether one may act for them, chooses projects, rights and a time, finds it in their account and puts it out; on a
// device they enter a code. The page stands in no frame.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { offences } from './accessibility.ts';
import { pictureLooks } from './looks.ts';
import { password, settleHarbour, startSite } from './pages.ts';
import { t } from './words.ts';

const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

const sample = forSuite(
  async () => settleHarbour(await startSite()),
  (sample) => sample.site.close(),
);

async function register(more: object): Promise<{ client_id: string; callback: string }> {
  const { app } = sample.site;
  // A page of the site itself: in a test there is no other to go back to.
  const callback = `${app.services.siteUrl}/robots.txt`;
  const { data, error } = await app.client({ key: app.serviceKey }).auth.admin.oauth.createClient({
    ...{ client_name: 'Planner', redirect_uris: [callback], token_endpoint_auth_method: 'none' },
    ...more,
  });
  if (error !== null) throw error;
  return { client_id: data.client_id, callback };
}

const exchange = async (fields: Record<string, string>) =>
  (
    await fetch(`${sample.site.app.url}/auth/v1/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) })
  ).json();

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

function addressOf({ client_id, callback }: { client_id: string; callback: string }, scope: string): string {
  const query = { client_id, redirect_uri: callback, response_type: 'code', scope, state: 's1', prompt: 'consent' };
  const proof = { code_challenge: challenge, code_challenge_method: 'S256' };
  return `/auth/v1/oauth/authorize?${new URLSearchParams({ ...query, ...proof })}`;
}

test('a person signs in, allows a program less than it asks for in one project, and revokes it in the account', async () => {
  const planner = await register({});
  const visitor = await sample.site.visit();
  const { page } = visitor;
  await page.goto(addressOf(planner, 'openid email write'));
  await page.getByLabel(t('signIn.email')).fill(sample.adaMail);
  await page.getByLabel(t('common.password')).fill(password);
  await page.getByRole('button', { name: t('common.signIn'), exact: true }).click();
  await page.getByRole('heading', { name: t('programs.consent.title', { name: 'Planner' }) }).waitFor();
  await page.getByText(t('programs.sees.email')).waitFor();
  await page.getByLabel(t('programs.consent.does')).selectOption('comment');
  await page.getByLabel(t('programs.consent.where')).selectOption('some');
  expect(await page.getByRole('button', { name: t('programs.consent.allow') }).isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: 'Harbour' }).check();
  await page.getByLabel(t('programs.consent.until')).selectOption('30');
  expect(await offences(page)).toEqual([]);
  await pictureLooks(page, 'consent');
  await page.setViewportSize({ width: 390, height: 844 });
  await pictureLooks(page, 'consent-phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: t('programs.consent.allow') }).click();
  await page.waitForURL(/robots\.txt\?code=/);
  const back = new URL(page.url());
  expect(back.searchParams.get('state')).toBe('s1');
  const code = back.searchParams.get('code') ?? '';
  const tokens = await exchange({
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    client_id: planner.client_id,
  });
  expect(claimsOf(tokens.access_token)).toMatchObject({
    scope: 'openid email read comment',
    projects: [sample.projectId],
  });

  await page.goto('/app/account');
  const part = page.getByRole('region', { name: t('programs.title') });
  await part.getByText(/Harbour/).waitFor();
  await part.getByText(new RegExp(t('programs.levels.comment'))).waitFor();
  expect(await offences(page)).toEqual([]);
  await pictureLooks(page, 'account', part);
  await part.getByRole('button', { name: t('programs.revokeOf', { name: 'Planner' }) }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('programs.revoke') })
    .click();
  await part.getByText(t('programs.none')).waitFor();
  const refused = await exchange({
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
    client_id: planner.client_id,
  });
  expect(refused.error).toBe('invalid_grant');
  expect(visitor.troubles).toEqual([]);
  await visitor.close();
});

test('a person refuses, and the program is told', async () => {
  const { page } = sample.ada;
  await page.goto(addressOf(await register({}), 'read'));
  await page.getByRole('button', { name: t('programs.consent.deny') }).click();
  await page.waitForURL(/robots\.txt\?error=access_denied/);
  await page.goto('/oauth/consent?authorization_id=0198f0de-0000-7000-8000-000000000001');
  await page.getByText(t('programs.consent.gone')).waitFor();
});

test('a code of a device is entered, and the device gets its tokens', async () => {
  const { client_id } = await register({ client_name: 'Terminal', redirect_uris: [], grant_types: [deviceGrant] });
  const started = await (
    await fetch(`${sample.site.app.url}/auth/v1/oauth/device_authorization`, {
      method: 'POST',
      body: new URLSearchParams({ client_id, scope: 'read' }),
    })
  ).json();
  const { page } = sample.ada;
  await page.goto('/oauth/device');
  await page.getByLabel(t('programs.device.code')).fill('BBBB-BBBB');
  await page.getByRole('button', { name: t('common.continue') }).click();
  await page.getByText(t('programs.device.unknown')).waitFor();
  await page.getByLabel(t('programs.device.code')).fill(started.user_code);
  expect(await offences(page)).toEqual([]);
  await pictureLooks(page, 'device');
  await page.getByRole('button', { name: t('common.continue') }).click();
  await page.getByText(t('programs.consent.toDevice')).waitFor();
  await page.getByRole('button', { name: t('programs.consent.allow') }).click();
  await page.getByText(t('programs.device.allowed', { name: 'Terminal' })).waitFor();
  const tokens = await exchange({ grant_type: deviceGrant, device_code: started.device_code, client_id });
  expect(tokens.scope).toBe('read');
});

test.each(['/oauth/consent?authorization_id=x', '/oauth/device'])('%s stands in no frame', async (path) => {
  const answer = await fetch(sample.site.app.url + path);
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(answer.headers.get('x-frame-options')).toBe('DENY');
});
