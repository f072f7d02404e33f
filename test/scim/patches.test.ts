// PATCH as Entra and Okta send it, in our own words, and as RFC 7644 has it.

import { describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { provider } from './provider.ts';

const app = forSuite(startApp);
const entra = provider(app, 'Entra');
let count = 0;

async function newUser(more: Record<string, unknown> = {}) {
  const email = `person${++count}@example.test`;
  const { id } = await entra.addUser(email, { displayName: 'Ada', name: { givenName: 'Ada' }, ...more });
  return { id, email, path: `/Users/${id}` };
}

describe('Entra', () => {
  test('adds an email that there is none of, and replaces it, by a filter', async () => {
    const { path } = await newUser({ emails: [] });
    const first = { op: 'Add', path: 'emails[type eq "work"].value', value: `w${count}@example.test` };
    expect((await entra.patch(path, first)).body.emails).toEqual([{ type: 'work', value: `w${count}@example.test` }]);
    const next = { op: 'Replace', path: 'emails[type eq "work"].value', value: `v${count}@example.test` };
    expect((await entra.patch(path, next)).body.emails).toEqual([{ type: 'work', value: `v${count}@example.test` }]);
  });

  test('replaces without a path, with dotted names and those of the enterprise extension', async () => {
    const { path } = await newUser();
    const answer = await entra.patch(path, {
      op: 'Replace',
      value: {
        displayName: 'Ada King',
        'name.familyName': 'King',
        'urn:ietf:params:scim:schemas:core:2.0:User:externalId': `e${count}`,
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'Engines',
        'addresses[type eq "work"].country': 'England',
        active: 'True',
      },
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        displayName: 'Ada King',
        externalId: `e${count}`,
        name: { givenName: 'Ada', familyName: 'King' },
        active: true,
      },
    });
  });

  test('sends several operations at once, and clears by null', async () => {
    const { path } = await newUser();
    const { body } = await entra.patch(
      path,
      { op: 'Replace', path: 'displayName', value: 'Countess' },
      { op: 'Replace', path: 'name.givenName', value: null },
      { op: 'Add', path: 'title', value: 'Countess' },
      { op: 'Replace', path: 'active', value: 'False' },
    );
    expect(body).toMatchObject({ displayName: 'Countess', active: false });
    expect(body).not.toHaveProperty('name');
  });

  test('removes a member by its value in the body', async () => {
    const [one, two] = [await newUser(), await newUser()];
    const group = await entra.addGroup('Engineers', [one.id, two.id]);
    await entra.patch(`/Groups/${group.id}`, { op: 'Remove', path: 'members', value: [{ value: one.id }] });
    const { body } = await entra.send('GET', `/Groups/${group.id}`);
    expect(body.members).toMatchObject([{ value: two.id }]);
  });
});

describe('Okta', () => {
  test('deactivates without a path', async () => {
    const { path } = await newUser();
    expect(await entra.patch(path, { op: 'replace', value: { active: false } })).toMatchObject({
      body: { active: false },
    });
  });

  test('renames a group with its id beside the name', async () => {
    const group = await entra.addGroup('Before');
    const path = `/Groups/${group.id}`;
    await entra.patch(path, { op: 'replace', value: { id: group.id, displayName: 'After' } });
    expect((await entra.send('GET', path)).body.displayName).toBe('After');
    expect(await app.sql('select name from public.groups where id = $1', [group.id])).toEqual([{ name: 'After' }]);
  });

  test('replaces all of a person, and what it does not send is gone', async () => {
    const { id, path, email } = await newUser();
    const sent = {
      id,
      userName: email,
      emails: [{ primary: true, value: email, type: 'work' }],
      active: false,
      groups: [],
    };
    const { status, body } = await entra.send('PUT', path, { schemas: [], ...sent, password: 'of no use' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, active: false });
    expect(body).not.toHaveProperty('displayName');
    expect(await app.sql('select encrypted_password from auth.users where id = $1', [id])).toEqual([
      { encrypted_password: null },
    ]);
  });

  test('adds and removes members in one request', async () => {
    const [one, two] = [await newUser(), await newUser()];
    const group = await entra.addGroup('Shift', [one.id]);
    await entra.patch(
      `/Groups/${group.id}`,
      { op: 'remove', path: `members[value eq "${one.id}"]` },
      { op: 'add', path: 'members', value: [{ value: two.id, display: 'Two' }] },
    );
    expect((await entra.send('GET', `/Groups/${group.id}`)).body.members).toMatchObject([{ value: two.id }]);
  });
});

describe('the standard', () => {
  test('one primary email at most, and a value that is there already is not added twice', async () => {
    const { path, email } = await newUser();
    const more = { op: 'add', path: 'emails', value: [{ value: 'home@example.test', type: 'home', primary: true }] };
    expect((await entra.patch(path, more, more)).body.emails).toEqual([
      { type: 'work', primary: false, value: email },
      { type: 'home', primary: true, value: 'home@example.test' },
    ]);
    const [row] = await app.sql<{ email: string }>('select email from auth.users where id = $1', [path.slice(7)]);
    expect(row?.email).toBe('home@example.test');
  });

  test('a filter chooses what is removed or changed', async () => {
    const { path, email } = await newUser();
    await entra.patch(path, { op: 'add', path: 'emails', value: [{ value: 'x@example.test', type: 'home' }] });
    const { body } = await entra.patch(
      path,
      { op: 'replace', path: 'emails[type eq "home"]', value: { type: 'other' } },
      { op: 'remove', path: 'emails[type eq "other" and value ew "example.test"]' },
    );
    expect(body.emails).toEqual([{ type: 'work', primary: true, value: email }]);
  });

  test.each<[name: string, operation: Record<string, unknown>, status: number, scimType: string]>([
    ['an attribute that there is none of', { op: 'add', path: 'nothing', value: 1 }, 400, 'invalidPath'],
    ['a path that cannot be read', { op: 'add', path: 'emails[type eq', value: 1 }, 400, 'invalidPath'],
    ['a filter of one value', { op: 'add', path: 'userName[value eq "x"]', value: 1 }, 400, 'invalidPath'],
    ['a part that there is none of', { op: 'add', path: 'emails[type eq "work"].size', value: 1 }, 400, 'invalidPath'],
    ['no target', { op: 'replace', path: 'emails[type eq "fax"].primary', value: true }, 400, 'noTarget'],
    ['a removal of nothing', { op: 'remove' }, 400, 'noTarget'],
    ['a read-only attribute', { op: 'replace', path: 'id', value: 'x' }, 400, 'mutability'],
    ['groups of a person', { op: 'add', path: 'groups', value: [{ value: 'x' }] }, 400, 'mutability'],
    ['a required attribute', { op: 'remove', path: 'userName' }, 400, 'mutability'],
    ['a value of another kind', { op: 'replace', path: 'active', value: 'perhaps' }, 400, 'invalidValue'],
    ['a text that is too long', { op: 'replace', path: 'displayName', value: 'x'.repeat(301) }, 400, 'invalidValue'],
    ['a zero character', { op: 'replace', path: 'displayName', value: 'a\0b' }, 400, 'invalidValue'],
    ['no email address', { op: 'replace', path: 'emails', value: [{ value: 'nowhere' }] }, 400, 'invalidValue'],
    ['an unknown operation', { op: 'move', path: 'userName' }, 400, 'invalidSyntax'],
    ['a value that is none', { op: 'replace', value: 'x' }, 400, 'invalidValue'],
  ])('%s is refused, and nothing is changed', async (_name, operation, status, scimType) => {
    const { path } = await newUser();
    const before = (await entra.send('GET', path)).body;
    const changes = { op: 'replace', path: 'displayName', value: 'Changed' };
    expect(await entra.patch(path, changes, operation)).toMatchObject({ status, body: { scimType } });
    expect((await entra.send('GET', path)).body).toEqual(before);
  });

  test('a body without operations, and one with too many, are refused', async () => {
    const { path } = await newUser();
    for (const body of [{}, [], { Operations: [] }, { Operations: 'x' }, { Operations: [null] }])
      expect(await entra.send('PATCH', path, body)).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } });
    const many = Array(501).fill({ op: 'replace', path: 'displayName', value: 'x' });
    expect(await entra.patch(path, ...many)).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } });
  });
});
