// Accounts during trials of SCIM: deleted ones stay deleted, ids and addresses of one person never become another's.

import { beforeAll, expect, test } from 'vitest';
import { makeOperator, type Operator } from '../admin/operator.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { applyTrial, makeProvider, type Provider, previewTrial } from './provider.ts';

const app = forSuite(startApp);
let operator: Operator;
let count = 0;
beforeAll(async () => {
  operator = await makeOperator(app);
});

const provider = (onTrial = true) => makeProvider(app, operator, `Provider ${++count}`, onTrial);
const beginTrial = async ({ id }: Provider) =>
  expect((await operator.ask('POST', `/providers/${id}/trial`, {})).status).toBe(200);
const apply = async ({ id }: Provider) =>
  expect(await applyTrial(operator, id)).toEqual({ status: 200, body: { refused: [] } });
const address = (name: string) => `${name}${++count}@accounts.test`;
const account = (name: string) => app.createUser({ name, email: address(name.toLowerCase()) });
const move = (by: Provider, id: string, email: string, userName = email) =>
  by.send('PUT', `/Users/${id}`, { userName, emails: [{ value: email, primary: true }] });
const userNameOf = async (by: Provider, id: string) => (await by.send('GET', `/Users/${id}`)).body.userName;

test.each([
  ['deleted', false],
  ['deleted softly', true],
])('an account that is %s during a trial leaves it and is not made again', async (_, softly) => {
  const entra = await provider(false);
  const kept = await entra.addUser(address('kept'));
  const group = await entra.addGroup(`Crew ${++count}`, [kept.id]);
  const adopted = await account('Adopted');
  await beginTrial(entra);
  expect((await entra.addUser(adopted.email)).id).toBe(adopted.id);
  const late = await entra.addUser(address('late'));
  const signedUp = await app.createUser({ name: 'Late', email: late.userName });
  for (const id of [kept.id, adopted.id, signedUp.id])
    expect((await app.client({ key: app.serviceKey }).auth.admin.deleteUser(id, softly)).error).toBeNull();
  expect(await entra.found('/Users')).toEqual([]);
  expect(await app.sql('select from private.scim_trial_people where provider_id = $1', [entra.id])).toEqual([]);
  for (const id of [kept.id, adopted.id, late.id])
    expect(await move(entra, id, address('moved'))).toMatchObject({ status: 404 });
  expect((await entra.send('GET', `/Groups/${group.id}`)).body.members ?? []).toEqual([]);
  expect(await previewTrial(operator, entra.id)).toMatchObject({
    refused: [],
    created: { total: 0 },
    adopted: { total: 0 },
  });
  await apply(entra);
  expect(
    await app.sql("select from auth.users where id = any ($1) and (deleted_at is null or email like '%@%')", [
      [kept.id, adopted.id, late.id, signedUp.id],
    ]),
  ).toEqual([]);
});

test('somebody made with the address of another keeps their id and groups to themselves', async () => {
  const entra = await provider();
  const john = await account('John');
  const second = await entra.addUser(john.email);
  expect(second.id).toBe(john.id);
  const corrected = address('second');
  expect((await move(entra, second.id, corrected)).status).toBe(200);
  const group = await entra.addGroup(`Secrets ${++count}`, [second.id]);
  const first = await entra.addUser(john.email);
  expect(first.id).not.toBe(second.id);
  const isAsSaid = async () => {
    expect(await userNameOf(entra, second.id)).toBe(corrected);
    expect(await userNameOf(entra, first.id)).toBe(john.email);
    expect((await entra.send('GET', `/Groups/${group.id}`)).body.members).toMatchObject([{ value: second.id }]);
  };
  await isAsSaid();
  expect(await previewTrial(operator, entra.id)).toMatchObject({
    created: { people: [{ email: corrected }] },
    adopted: { people: [{ id: john.id }] },
  });
  await apply(entra);
  await isAsSaid();
  expect(
    await app.sql(
      'select u.email from public.group_members m join auth.users u on u.id = m.user_id where m.group_id = $1',
      [group.id],
    ),
  ).toEqual([{ email: corrected }]);
});

test('an id that a provider was given keeps nobody else from the account', async () => {
  const [entra, okta] = [await provider(), await provider(false)];
  const ada = await account('Ada');
  const moved = address('moved');
  await entra.addUser(ada.email);
  await move(entra, ada.id, moved);
  expect((await okta.addUser(ada.email)).id).toBe(ada.id);
  await apply(entra);
  expect([await userNameOf(entra, ada.id), await userNameOf(okta, ada.id)]).toEqual([moved, ada.email]);

  // The same provider provisions the account later.
  const ben = await account('Ben');
  await beginTrial(entra);
  await entra.addUser(ben.email);
  const away = address('away');
  await move(entra, ben.id, away);
  await apply(entra);
  const { id } = await entra.addUser(ben.email);
  expect([await userNameOf(entra, ben.id), await userNameOf(entra, id)]).toEqual([away, ben.email]);
  expect(await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })).toMatchObject({
    status: 200,
    body: { id, userName: ben.email, active: false },
  });
  expect(
    await app.sql('select id from auth.users where email = any ($1) and banned_until > now()', [[ben.email, away]]),
  ).toEqual([{ id: ben.id }]);
});

test('an id of somebody whom the provider removed before is given to another all the same', async () => {
  const entra = await provider(false);
  const cem = await entra.addUser(address('cem'));
  await entra.send('DELETE', `/Users/${cem.id}`);
  await beginTrial(entra);
  expect((await entra.addUser(cem.userName)).id).toBe(cem.id);
  const moved = address('moved');
  await move(entra, cem.id, moved);
  await apply(entra);
  expect(await userNameOf(entra, cem.id)).toBe(moved);
});

test('userNames and addresses that a trial frees are free', async () => {
  const entra = await provider(false);
  const [kim, jo, one, two] = [
    await entra.addUser(address('kim')),
    await entra.addUser(address('jo'), { userName: `jo${count}` }),
    await entra.addUser(address('one')),
    await entra.addUser(address('two')),
  ];
  const emailOf = ({ emails }: { emails: { value: string }[] }) => emails[0]?.value ?? '';
  await beginTrial(entra);
  const kims = address('kims');
  expect((await move(entra, kim.id, kims)).status).toBe(200);
  const next = await entra.addUser(kim.userName);
  expect(next.id).not.toBe(kim.id);
  await entra.send('DELETE', `/Users/${jo.id}`);
  const newJo = await entra.addUser(address('jo'), { userName: jo.userName });
  const other = `other${count}`;
  expect((await move(entra, one.id, emailOf(one), other)).status).toBe(200);
  expect((await move(entra, two.id, emailOf(two), one.userName)).status).toBe(200);
  await apply(entra);
  const said = await Promise.all([kim, next, newJo, one, two].map(({ id }) => userNameOf(entra, id)));
  expect(said).toEqual([kims, kim.userName, jo.userName, other, one.userName]);
});

test('a copy of one’s data tells what providers on trial say of oneself, and of nobody else', async () => {
  const entra = await provider();
  const john = await account('John');
  const told = async ({ client }: Pick<typeof john, 'client'>) =>
    ((await client.rpc('export_my_data')).data as { provisioning_trials: { user_name: string }[] }).provisioning_trials;
  const second = await entra.addUser(john.email);
  expect(await told(john)).toMatchObject([{ user_name: john.email, provider: entra.name }]);
  await move(entra, second.id, address('second'));
  expect(await told(john)).toEqual([]);
  const early = await entra.addUser(address('early'));
  expect(await told(await app.createUser({ name: 'Early', email: early.userName }))).toMatchObject([
    { user_name: early.userName },
  ]);
});

test('the userName of an account that is deleted is free, of one that is deactivated it is not', async () => {
  for (const softly of [true, false]) {
    const okta = await provider(false);
    const name = address('again');
    const first = await okta.addUser(name);
    const group = await okta.addGroup(`Leavers ${++count}`, [first.id]);
    expect((await okta.patch(`/Users/${first.id}`, { op: 'replace', value: { active: false } })).status).toBe(200);
    const sent = { schemas: [], userName: name, emails: [{ value: address('other'), primary: true }] };
    expect((await okta.send('POST', '/Users', sent)).status).toBe(409);
    expect((await app.client({ key: app.serviceKey }).auth.admin.deleteUser(first.id, softly)).error).toBeNull();
    const second = await okta.addUser(name);
    expect(second.id).not.toBe(first.id);
    expect(await okta.found(`/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`)).toEqual([name]);
    expect(await okta.send('GET', `/Users/${first.id}`)).toMatchObject({ status: 404 });
    expect((await okta.send('GET', `/Groups/${group.id}`)).body.members ?? []).toEqual([]);
    expect(await app.sql('select from private.scim_people where user_id = $1', [first.id])).toEqual([]);
  }
});

test('a person is shown as inactive during a trial whose account an operator banned, by whatever id the provider knows them', async () => {
  const entra = await provider();
  const early = await entra.addUser(address('known'));
  const signedUp = await app.createUser({ name: 'Known', email: early.userName });
  expect(signedUp.id).not.toBe(early.id);
  const { admin } = app.client({ key: app.serviceKey }).auth;
  const isActive = async () => (await entra.send('GET', `/Users/${early.id}`)).body.active;
  const ban = async (until: string) =>
    expect((await admin.updateUserById(signedUp.id, { ban_duration: until })).error).toBeNull();
  expect(await isActive()).toBe(true);
  await ban('24h');
  expect(await isActive()).toBe(false);
  await ban('none');
  expect(await isActive()).toBe(true);
  await apply(entra);
  await beginTrial(entra);
  await ban('24h');
  expect(await isActive()).toBe(false);
});
