// Token → caller: accepted and refused tokens, keys of our own and of other issuers, and the cache.

import { createHash, createHmac, randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { mintApiKey } from '../../server/session/mint-api-key.ts';
import { openSessions, type SessionSettings } from '../../server/session/open-sessions.ts';
import { readCredentials } from '../../server/session/read-credentials.ts';
import { readKeySet } from '../../server/session/read-key-set.ts';
import { TokenCache } from '../../server/session/token-cache.ts';
import { type Claims, type Session, SessionFault, type Sessions } from '../../server/session/types.ts';

const jwtSecret = randomBytes(32).toString('hex');
const bare: SessionSettings = {
  jwtSecret,
  keySet: null,
  anonKey: null,
  serviceRoleKey: null,
  publishableKeys: ['sb_publishable_one'],
  secretKeys: ['sb_secret_one'],
  audience: null,
};
let sessions: Sessions;
beforeAll(async () => {
  sessions = await openSessions(bare);
});

function sign(claims: Record<string, unknown>, secret = jwtSecret, alg = 'HS256'): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret));
}

const now = (): number => Math.floor(Date.now() / 1000);

async function faultOf(work: () => Session | Promise<Session>): Promise<string> {
  try {
    await work();
    return 'no fault';
  } catch (error) {
    if (error instanceof SessionFault) return `${error.which}: ${error.fault}`;
    throw error;
  }
}

describe('tokens', () => {
  test('a token signed elsewhere with the same secret names its caller, claims and all', async () => {
    const token = await sign({ role: 'authenticated', sub: 'ada', exp: now() + 60, app: { plan: 'pro' } });
    const session = await sessions.verify(token);
    expect(session.caller.role).toBe('authenticated');
    expect(JSON.parse(session.caller.claims)).toMatchObject({ sub: 'ada', app: { plan: 'pro' } });
    expect(session.token).toBe(token);
  });

  test('a token without a role is anonymous', async () => {
    expect((await sessions.verify(await sign({ sub: 'x' }))).caller.role).toBe('anon');
  });

  test.each([
    ['signed with another secret', () => sign({ role: 'anon' }, 'x'.repeat(40)), 'bad_signature'],
    ['expired', () => sign({ role: 'anon', exp: now() - 60 }), 'expired'],
    ['not yet valid', () => sign({ role: 'anon', nbf: now() + 60 }), 'not_yet_valid'],
    ['no token at all', async () => 'nonsense', 'malformed'],
    ['three parts of nonsense', async () => 'a.b.c', 'malformed'],
    ['unsigned', async () => `${btoa('{"alg":"none"}')}.${btoa('{"role":"service_role"}')}.`, 'malformed'],
    ['signed with an algorithm that is not ours', () => sign({ role: 'anon' }, 'x'.repeat(64), 'HS512'), 'malformed'],
    ['a role that is no text', () => sign({ role: 7 }), 'bad_claims'],
    ["one of the server's own roles", () => sign({ role: 'kanbase_identity' }), 'bad_claims'],
    ['the role of guests', () => sign({ role: 'task_guest' }), 'bad_claims'],
    ['the role of programs', () => sign({ role: 'program' }), 'bad_claims'],
  ])('refused: %s', async (_name, token, fault) => {
    const text = await token();
    expect(await faultOf(() => sessions.verify(text))).toBe(`authorization: ${fault}`);
  });

  test.each([
    ['client_id', 'x'],
    ['act', { kind: 'app', sub: 'x', name: 'X' }],
    ['scope', 'read'],
    ['projects', []],
  ])('the claim %s narrows people alone: with another role it is refused', async (claim, value) => {
    const roleOf = async (role?: string) => (await sessions.verify(await sign({ role, [claim]: value }))).caller.role;
    expect(await roleOf('authenticated')).toBe('program');
    for (const role of ['service_role', 'anon', 'harbour_master', undefined])
      expect([role, await faultOf(() => roleOf(role) as never)]).toEqual([role, 'authorization: bad_claims']);
  });

  test('clocks may differ by half a minute', async () => {
    const token = await sign({ role: 'anon', exp: now() - 20 });
    expect((await sessions.verify(token)).caller.role).toBe('anon');
  });

  test('a token changed in one letter is refused', async () => {
    const token = await sign({ role: 'anon', exp: now() + 60 });
    const [head, body = '', tail] = token.split('.');
    const changed = `${head}.${body.slice(0, -2)}${body.at(-2) === 'A' ? 'B' : 'A'}${body.at(-1)}.${tail}`;
    expect(await faultOf(() => sessions.verify(changed))).not.toBe('no fault');
  });
});

describe('API key and bearer token', () => {
  test('the key opens the door, the bearer token names the caller', async () => {
    const token = await sign({ role: 'authenticated', sub: 'ada', exp: now() + 60 });
    const session = await sessions.fromHeaders({ apikey: sessions.anonKey, authorization: `Bearer ${token}` });
    expect(session.caller.role).toBe('authenticated');
  });

  test('the second time both are remembered and the answer is immediate', async () => {
    const headers = { apikey: sessions.anonKey, authorization: `bearer ${sessions.serviceRoleKey}` };
    await sessions.fromHeaders(headers);
    const session = sessions.fromHeaders(headers);
    expect(session).not.toBeInstanceOf(Promise);
  });

  test.each([
    ['no apikey', { authorization: 'Bearer x' }, 'apikey: missing'],
    ['an empty apikey', { apikey: '', authorization: 'Bearer x' }, 'apikey: missing'],
    ['an unknown apikey alone', { apikey: 'sb_publishable_two' }, 'apikey: malformed'],
    ['no bearer', { apikey: 'sb_publishable_one', authorization: 'Basic eDp5' }, 'authorization: no_bearer'],
    [
      'an unknown apikey',
      { apikey: 'sb_publishable_two', authorization: 'Bearer sb_publishable_one' },
      'apikey: malformed',
    ],
    ['an unknown bearer', { apikey: 'sb_publishable_one', authorization: 'Bearer x' }, 'authorization: malformed'],
  ])('refused: %s', async (_name, headers, fault) => {
    expect(await faultOf(async () => sessions.fromHeaders(headers))).toBe(fault);
  });

  test.each(['sb_publishable_one', 'sb_secret_one'])('refused: the key %s without a token', async (apikey) => {
    for (const authorization of [undefined, ''])
      expect(await faultOf(async () => sessions.fromHeaders({ apikey, authorization }))).toBe('authorization: missing');
  });

  test('an API key alone is the token too, where it is enough', async () => {
    const roleOf = async (apikey: string, authorization?: string) =>
      (await sessions.fromHeadersOrKey({ apikey, authorization })).caller.role;
    expect(await roleOf('sb_publishable_one')).toBe('anon');
    expect(await roleOf('sb_secret_one', '')).toBe('service_role');
    expect(await roleOf(sessions.anonKey)).toBe('anon');
    expect(await roleOf(sessions.serviceRoleKey)).toBe('service_role');
  });

  test.each([
    ['the header', { apikey: 'one' }, '/rest/v1/tasks?select=*', 'one'],
    ['the address', {}, '/rest/v1/tasks?select=*&apikey=one%2Btwo', 'one+two'],
    ['the header before the address', { apikey: 'one' }, '/rest/v1/tasks?apikey=two', 'one'],
    ['nothing', {}, '/rest/v1/tasks?apikeys=two', undefined],
    ['nothing, where both are empty', { apikey: '' }, '/rest/v1/tasks?apikey=', undefined],
  ])('the key is read from %s', (_name, headers, url, apikey) => {
    expect(readCredentials(headers, url)).toEqual({ apikey, authorization: undefined });
  });

  test("a person's access token is no API key", async () => {
    const token = await sign({ role: 'authenticated', sub: 'ada', exp: now() + 60 });
    expect(await faultOf(() => sessions.fromHeaders({ apikey: token }))).toBe('apikey: bad_claims');
    expect(await faultOf(() => sessions.fromHeaders({ apikey: token, authorization: `Bearer ${token}` }))).toBe(
      'apikey: bad_claims',
    );
  });
});

describe('keys', () => {
  test('minted keys depend on the secret alone, so nodes and restarts agree', async () => {
    const again = await openSessions(bare);
    expect(again.anonKey).toBe(sessions.anonKey);
    expect(await mintApiKey('anon', 'y'.repeat(32))).not.toBe(sessions.anonKey);
  });

  test('opaque keys stand beside tokens', async () => {
    const headers = { apikey: 'sb_publishable_one', authorization: 'Bearer sb_secret_one' };
    expect((await sessions.fromHeaders(headers)).caller).toEqual({
      role: 'service_role',
      claims: '{"role":"service_role"}',
    });
    const publishable = await sessions.verify('sb_publishable_one');
    expect(publishable.caller.role).toBe('anon');
    expect(publishable.token).toBeNull();
  });

  test('keys that an operator chose count, tokens or not', async () => {
    const chosen = await openSessions({ ...bare, anonKey: 'our-public-key', serviceRoleKey: 'our-service-key' });
    expect((await chosen.verify('our-public-key')).caller.role).toBe('anon');
    expect((await chosen.verify('our-service-key')).caller.role).toBe('service_role');
  });
});

describe('a key of a person beside the anon key', () => {
  const body = `kb_${'b2'.repeat(20)}`;
  const token = body + createHash('sha256').update(body).digest('hex').slice(0, 8);

  async function openWithKey(): Promise<{ sessions: Sessions; ask: () => Promise<Session>; forget: () => void }> {
    const sessions = await openSessions(bare);
    let claims: Claims | null = { sub: 'ada', role: 'authenticated', key_id: 'one', scope: 'read' };
    sessions.readKeysFrom({ find: async () => claims, noteUse: () => undefined });
    const ask = async () => sessions.fromHeaders({ apikey: sessions.anonKey, authorization: `Bearer ${token}` });
    // The second finds what the first has left.
    for (let time = 0; time < 2; time++) expect((await ask()).claims.key_id).toBe('one');
    return {
      sessions,
      ask,
      forget: () => {
        claims = null;
      },
    };
  }

  test('is looked up again after five minutes, should nobody tell of its end', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const { ask, forget } = await openWithKey();
      forget();
      expect((await ask()).claims.key_id).toBe('one');
      vi.setSystemTime(Date.now() + 5 * 60_000 + 1);
      expect(await faultOf(ask)).toBe('authorization: expired');
    } finally {
      vi.useRealTimers();
    }
  });

  test('is refused once it has ended', async () => {
    const { sessions, ask, forget } = await openWithKey();
    forget();
    sessions.end(['one'], Date.now() + 60_000);
    expect(await faultOf(ask)).toBe('authorization: expired');
  });
});

describe('keys of our own key set', () => {
  test.each([['ES256'], ['RS256']])(
    '%s tokens are signed, published and verified; rotation keeps the old ones good',
    async (alg) => {
      const pair = await generateKeyPair(alg, { extractable: true });
      const older = await generateKeyPair(alg, { extractable: true });
      const current = { ...(await exportJWK(pair.privateKey)), kid: 'now' };
      const retired = { ...(await exportJWK(older.publicKey)), kid: 'then' };
      const keySet = await readKeySet(JSON.stringify({ keys: [retired, current] }));
      const own = await openSessions({ ...bare, keySet });

      const token = await own.sign({ role: 'authenticated', sub: 'ada' }, 60);
      expect(JSON.parse(atob(token.split('.')[0] ?? ''))).toMatchObject({ alg, kid: 'now' });
      expect((await own.verify(token)).claims.sub).toBe('ada');
      const old = await new SignJWT({ role: 'authenticated', sub: 'bob' })
        .setProtectedHeader({ alg, kid: 'then' })
        .sign(older.privateKey);
      expect((await own.verify(old)).claims.sub).toBe('bob');
      // Tokens of the shared secret stay good beside them.
      expect((await own.verify(await sign({ sub: 'carl' }))).claims.sub).toBe('carl');

      const published = own.publicKeys().keys;
      expect(published.map((key) => key.kid)).toEqual(['then', 'now']);
      expect(JSON.stringify(published)).not.toContain('"d"');
      const stranger = await generateKeyPair(alg);
      const forged = await new SignJWT({ role: 'service_role' })
        .setProtectedHeader({ alg, kid: 'now' })
        .sign(stranger.privateKey);
      expect(await faultOf(() => own.verify(forged))).toBe('authorization: bad_signature');
      const unknown = await new SignJWT({ role: 'service_role' })
        .setProtectedHeader({ alg, kid: 'else' })
        .sign(stranger.privateKey);
      expect(await faultOf(() => own.verify(unknown))).toBe('authorization: bad_signature');
    },
  );

  test('the public key cannot be used as a secret', async () => {
    const pair = await generateKeyPair('RS256', { extractable: true });
    const keySet = await readKeySet(JSON.stringify([{ ...(await exportJWK(pair.privateKey)), kid: 'now' }]));
    const own = await openSessions({ ...bare, keySet });
    const forged = await sign({ role: 'service_role' }, JSON.stringify(own.publicKeys().keys[0]));
    expect(await faultOf(() => own.verify(forged))).toBe('authorization: bad_signature');
  });

  test.each([
    ['{}', /"keys"/],
    ['[{"kty":"oct","k":"AA"}]', /neither EC P-256 nor RSA/],
  ])('%s is no key set', async (text, words) => {
    await expect(readKeySet(text)).rejects.toThrow(words);
  });
});

describe('the token cache keeps', () => {
  const session = (exp?: number): Session => ({ caller: { role: 'anon', claims: '{}' }, claims: { exp }, token: 't' });

  test('a token until it expires', () => {
    let clock = 1000;
    const cache = new TokenCache(10, () => clock);
    cache.keep('a', session(2));
    expect(cache.get('a')).toBeDefined();
    clock = 2000;
    expect(cache.get('a')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  test('a bounded number of them, the oldest leaving first', () => {
    const cache = new TokenCache(2);
    for (const token of ['a', 'b', 'c']) cache.keep(token, session());
    expect([cache.get('a'), cache.get('b'), cache.get('c')].map((found) => found !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('no token so long that a bounded number would not bound memory', () => {
    const cache = new TokenCache(2);
    cache.keep('x'.repeat(10_000), session());
    expect(cache.size).toBe(0);
  });
});

describe('claims of a wrong kind, in the words of PostgREST', () => {
  const forge = async (claims: Record<string, unknown>): Promise<string> => {
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
    return `${signed}.${createHmac('sha256', bare.jwtSecret).update(signed).digest('base64url')}`;
  };

  test.each([
    [{ exp: 'tomorrow' }, "The JWT 'exp' claim must be a number"],
    [{ nbf: 'now' }, "The JWT 'nbf' claim must be a number"],
    [{ iat: true }, "The JWT 'iat' claim must be a number"],
    [{ aud: 123 }, "The JWT 'aud' claim must be a string or an array of strings"],
    [{ aud: ['a', 1] }, "The JWT 'aud' claim must be a string or an array of strings"],
  ])('%j', async (claims, message) => {
    const sessions = await openSessions(bare);
    const token = await forge({ role: 'anon', ...claims });
    await expect((async () => sessions.verify(token))()).rejects.toMatchObject({ fault: 'bad_claims', message });
  });

  test('an audience that is expected', async () => {
    const sessions = await openSessions({ ...bare, audience: 'authenticated' });
    for (const aud of ['authenticated', ['other', 'authenticated'], [], undefined])
      expect((await sessions.verify(await forge({ role: 'anon', aud }))).caller.role).toBe('anon');
    for (const aud of ['other', ['other']])
      await expect((async () => sessions.verify(await forge({ role: 'anon', aud })))()).rejects.toMatchObject({
        message: 'JWT not in audience',
      });
  });

  test('an empty token, and one that no key fits', async () => {
    const sessions = await openSessions(bare);
    const empty = async () => sessions.fromHeaders({ apikey: sessions.anonKey, authorization: 'Bearer ' });
    await expect(empty()).rejects.toMatchObject({ message: 'Empty JWT is sent in Authorization header' });
    const other = await openSessions({ ...bare, jwtSecret: 'another secret of some length, at last' });
    const foreign = await other.sign({ role: 'anon' }, 60);
    await expect((async () => sessions.verify(foreign))()).rejects.toMatchObject({
      message: 'No suitable key or wrong key type',
      details: 'None of the keys was able to decode the JWT',
    });
  });
});
