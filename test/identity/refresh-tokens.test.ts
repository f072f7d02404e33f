// Refresh tokens: which is good, for how long, and what ends a session.

import { expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(startApp);

const password = 'secret1';
let count = 0;

async function member() {
  count += 1;
  const { data, error } = await app.client().auth.signUp({ email: `family${count}@example.test`, password });
  expect(error).toBeNull();
  const { access_token: token = '', refresh_token: refreshToken = '' } = data.session ?? {};
  return { id: data.user?.id ?? '', token, refreshToken };
}

async function user(token: string) {
  const answer = await app.request('/auth/v1/user', { token });
  return { status: answer.status, body: await answer.json() };
}

async function refresh(refreshToken: string) {
  const answer = await app.request('/auth/v1/token?grant_type=refresh_token', {
    method: 'POST',
    body: JSON.stringify({ refresh_token: refreshToken }),
  });
  return { status: answer.status, body: await answer.json() };
}

test('rotate; the one before is good for a moment and gives the same successor', async () => {
  const { refreshToken } = await member();
  const racing = await Promise.all([refresh(refreshToken), refresh(refreshToken), refresh(refreshToken)]);
  expect(racing.map((one) => one.status)).toEqual([200, 200, 200]);
  expect(new Set(racing.map((one) => one.body.refresh_token)).size).toBe(1);
  expect(racing[0]?.body.refresh_token).not.toBe(refreshToken);
});

const later = (id: string) =>
  app.sql(`update auth.sessions set refreshed_at = now() - interval '3 days' where user_id = $1`, [id]);

test('a refresh token whose answer was lost is good days later, as long as its successor is unused', async () => {
  const { refreshToken, token, id } = await member();
  const lost = (await refresh(refreshToken)).body.refresh_token;
  await later(id);
  const again = await refresh(refreshToken);
  expect([again.status, again.body.refresh_token]).toEqual([200, lost]);
  expect((await refresh(again.body.refresh_token)).status).toBe(200);
  expect((await user(token)).status).toBe(200);
});

test('shown again, it says from where, its access token ends with the session, and older ones gain no time', async () => {
  const { refreshToken, id } = await member();
  const second = (await refresh(refreshToken)).body.refresh_token;
  await refresh(second);
  const before = `refreshed_at = now() - interval '8 days', updated_at = now() - interval '8 days'`;
  await app.sql(`update auth.sessions set ${before}, user_agent = 'old', ip = '192.0.2.1' where user_id = $1`, [id]);
  const again = await refresh(second);
  expect(again.status).toBe(200);
  const [session] = await app.sql<Record<string, unknown>>(
    `select id, user_agent, host(ip) as address, updated_at > now() - interval '1 hour' as lately,
       refreshed_at < now() - interval '7 days' as exchanged_long_ago
     from auth.sessions where user_id = $1`,
    [id],
  );
  expect(session).toMatchObject({ address: '127.0.0.1', lately: true, exchanged_long_ago: true });
  expect(session?.user_agent).not.toBe('old');
  // The first one of all ends the session, as it would have without that.
  expect((await refresh(refreshToken)).body.code).toBe('refresh_token_already_used');
  expect(await app.sql('select from auth.ended_sessions where id = $1', [session?.id])).toHaveLength(1);
  const token = again.body.access_token;
  await expect.poll(async () => (await app.call('GET', '/rest/v1/projects', undefined, token)).status).toBe(401);
});

test('of any earlier place passes while tabs race, and gets the latest', async () => {
  const { refreshToken } = await member();
  const second = (await refresh(refreshToken)).body.refresh_token;
  const third = (await refresh(second)).body.refresh_token;
  const grandparent = await refresh(refreshToken);
  expect([grandparent.status, grandparent.body.refresh_token]).toEqual([200, third]);
});

test('stolen and used ends the session, for the thief and for its owner', async () => {
  const { refreshToken, token, id } = await member();
  const stolen = (await refresh(refreshToken)).body.refresh_token;
  const next = (await refresh(stolen)).body.refresh_token;
  await later(id);
  expect(await refresh(refreshToken)).toMatchObject({
    status: 400,
    body: { code: 'refresh_token_already_used', message: 'Invalid Refresh Token: Already Used' },
  });
  expect((await refresh(next)).body.code).toBe('refresh_token_not_found');
  expect((await user(token)).status).toBe(401);
});

test('cannot be made up, extended or turned to another session', async () => {
  const [one, other] = [await member(), await member()];
  const bytes = Buffer.from(one.refreshToken, 'base64url');
  const theirs = Buffer.from(other.refreshToken, 'base64url');
  const later = Buffer.from(bytes);
  later.writeUIntBE(2, 16, 6);
  const crossed = Buffer.concat([theirs.subarray(0, 22), bytes.subarray(22)]);
  for (const forged of [later, crossed, Buffer.concat([bytes, Buffer.from([0])]), bytes.subarray(1)])
    expect((await refresh(forged.toString('base64url'))).body.code).toBe('refresh_token_not_found');
  expect((await refresh(`${one.refreshToken}=`)).body.code).toBe('refresh_token_not_found');
  expect((await refresh(one.refreshToken)).status).toBe(200);
});

test('accounts and sessions in the database hold no token and no password', async () => {
  const { refreshToken, token } = await member();
  const rows = JSON.stringify(await app.sql('select * from auth.sessions'));
  expect(rows).not.toContain(refreshToken);
  const all = JSON.stringify(await app.sql('select * from auth.users'));
  for (const found of [password, token]) expect(all).not.toContain(found);
});
