// Lists by SCIM: pages, filters with all operators, hostile ones, chosen attributes.

import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { provider } from './provider.ts';

const app = forSuite(startApp);
const entra = provider(app, 'Entra');

beforeAll(async () => {
  await entra.addUser('ada@example.test', {
    displayName: 'Ada Lovelace',
    externalId: 'A1',
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [
      { type: 'work', primary: true, value: 'ada@example.test' },
      { type: 'home', value: 'ada@home.test' },
    ],
  });
  await entra.addUser('grace@example.test', { displayName: 'Grace Hopper', externalId: 'a1' });
  const { id } = await entra.addUser('alan@example.test', { displayName: 'Alan' });
  await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
  await entra.addUser('bare@example.test', { emails: [] });
});

const find = (filter: string) => entra.found(`/Users?filter=${encodeURIComponent(filter)}`);

describe('filters', () => {
  test.each<[filter: string, found: string[]]>([
    ['userName eq "ada@example.test"', ['ada']],
    ['USERNAME EQ "ADA@EXAMPLE.TEST"', ['ada']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada@example.test"', ['ada']],
    ['externalId eq "A1"', ['ada']],
    ['externalId ne "A1"', ['grace', 'alan', 'bare']],
    ['emails.value eq "ADA@home.test"', ['ada']],
    ['emails eq "grace@example.test"', ['grace']],
    ['emails[type eq "work" and value sw "grace"]', ['grace']],
    ['emails[type eq "home" and value co "example"]', []],
    ['emails[not (type eq "work")]', ['ada']],
    ['emails[type eq "work"].value eq "GRACE@example.test"', ['grace']],
    ['emails[type eq "work" or type eq "home"].value ew "home.test" and active eq true', ['ada']],
    ['emails[type eq "fax"].value pr', []],
    ['emails.primary eq true and emails.type eq "home"', ['ada']],
    ['not (emails pr)', ['bare']],
    ['displayName co "lace"', ['ada']],
    ['displayName sw "a"', ['ada', 'alan']],
    ['displayName ew "HOPPER"', ['grace']],
    ['displayName gt "b"', ['grace']],
    ['displayName le "alan"', ['ada', 'alan']],
    ['displayName pr', ['ada', 'grace', 'alan']],
    ['displayName eq null', ['bare']],
    ['name.familyName eq "lovelace"', ['ada']],
    ['active eq false', ['alan']],
    ['active eq "False"', ['alan']],
    ['active ne true', ['alan']],
    ['userName sw "a" and active eq true', ['ada']],
    ['userName sw "g" or userName sw "a" and active eq true', ['ada', 'grace']],
    ['(userName sw "g" or userName sw "a") and not (active eq true)', ['alan']],
    ['meta.created gt "2020-01-01T00:00:00Z" and userName sw "ada"', ['ada']],
    ['meta.lastModified lt "2020-01-01"', []],
    ['meta.resourceType eq "Group"', []],
    ['title eq "Countess"', []],
    ['not (title pr)', ['ada', 'grace', 'alan', 'bare']],
    ['groups pr', []],
    ['id eq "no id"', []],
    ['userName eq "x\\" or \\"1\\"=\\"1"', []],
    ['userName eq "\'; drop table auth.users; --"', []],
    ['userName co "%"', []],
    ['userName co "\\u0061da"', ['ada']],
  ])('%s', async (filter, found) => {
    expect(await find(filter)).toEqual(found.map((name) => `${name}@example.test`));
  });

  test('each finds its own id, to the letter and in any part', async () => {
    const { body } = await entra.send('GET', '/Users?count=1');
    const { id, userName, meta } = body.Resources[0];
    expect(await find(`id eq "${id}"`)).toEqual([userName]);
    expect(await find(`id co "${id.slice(3, 30)}"`)).toEqual([userName]);
    expect(await find(`meta.created eq "${meta.created}" and userName eq "${userName}"`)).toEqual([userName]);
  });

  test.each([
    'userName',
    'userName eq',
    'userName eq ada',
    'userName like "a"',
    'userName eq "a',
    'userName eq "a" and',
    '(userName eq "a"',
    'userName eq "a")',
    'not userName eq "a"',
    'emails[type eq "work"',
    'emails[type eq "work"] eq "x"',
    'emails[emails[type eq "x"]]',
    'emails[type eq "x"].size eq 1',
    'userName[value eq "x"]',
    'nothing eq "a"',
    'emails.nothing eq "a"',
    'meta.location eq "x"',
    'active gt true',
    'active eq "maybe"',
    'meta.created eq "yesterday"',
    'meta.created co "2026"',
    'userName gt null',
    'userName eq "\\x"',
    '" or 1=1 --',
    `${'('.repeat(11)}userName pr${')'.repeat(11)}`,
    `${'not ('.repeat(2000)}`,
    Array(51).fill('userName pr').join(' or '),
    `userName eq "${'x'.repeat(4000)}"`,
    `${'['.repeat(3000)}`,
  ])('%.60s is refused', async (filter) => {
    const answer = await entra.send('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect(answer).toMatchObject({ status: 400, body: { status: '400', scimType: 'invalidFilter' } });
    expect(answer.headers.get('content-type')).toContain('application/scim+json');
  });

  test('a text that Postgres cannot hold is refused, and nothing is logged as unforeseen', async () => {
    const answer = await entra.send('GET', `/Users?filter=${encodeURIComponent('userName eq "\\u0000"')}`);
    expect(answer).toMatchObject({ status: 400 });
  });
});

describe('pages', () => {
  test('follow each other in one order, and say how many there are', async () => {
    const seen: string[] = [];
    for (let startIndex = 1; startIndex <= 4; startIndex += 3) {
      const { body } = await entra.send('GET', `/Users?startIndex=${startIndex}&count=3`);
      expect(body).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 4,
        startIndex,
        itemsPerPage: startIndex === 1 ? 3 : 1,
      });
      seen.push(...body.Resources.map(({ userName }: { userName: string }) => userName));
    }
    expect(seen).toEqual(['ada', 'grace', 'alan', 'bare'].map((name) => `${name}@example.test`));
  });

  test.each([
    ['count=0', 4, 0],
    ['count=-5', 4, 0],
    ['startIndex=-3&count=2', 4, 2],
    ['startIndex=100', 4, 0],
    ['count=1000', 4, 4],
  ])('%s', async (query, total, size) => {
    const { body } = await entra.send('GET', `/Users?${query}`);
    expect(body).toMatchObject({ totalResults: total, itemsPerPage: size });
    expect(body.Resources).toHaveLength(size);
  });

  test.each(['count=many', 'startIndex=1.5', 'count=99999999999', 'filter=a&filter=b&count=x'])(
    '%s is refused',
    async (query) => {
      expect(await entra.send('GET', `/Users?${query}`)).toMatchObject({ status: 400 });
    },
  );

  test('are also asked for by a search', async () => {
    const { status, body } = await entra.send('POST', '/Users/.search', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'displayName sw "a"',
      attributes: ['userName'],
      count: 1,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ totalResults: 2, itemsPerPage: 1 });
    expect(Object.keys(body.Resources[0]).sort()).toEqual(['id', 'schemas', 'userName']);
  });
});

describe('attributes', () => {
  const one = async (query: string) =>
    (await entra.send('GET', `/Users?filter=userName eq "ada@example.test"&${query}`)).body.Resources[0];

  test('are those asked for, with id and schemas', async () => {
    const user = await one('attributes=username,emails.value,name.givenName,nothing');
    expect(user).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: user.id,
      userName: 'ada@example.test',
      name: { givenName: 'Ada' },
      emails: [{ value: 'ada@example.test' }, { value: 'ada@home.test' }],
    });
  });

  test('or all but those that are not', async () => {
    const user = await one('excludedAttributes=emails,meta,name.familyName,groups,id');
    expect(user).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: expect.any(String),
      externalId: 'A1',
      userName: 'ada@example.test',
      displayName: 'Ada Lovelace',
      name: { givenName: 'Ada' },
      active: true,
    });
  });
});
