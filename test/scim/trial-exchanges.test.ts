// Names that people and groups of a SCIM trial exchange: previewed, and applied all at once.

import { beforeAll, expect, test } from 'vitest';
import { makeOperator, type Operator } from '../admin/operator.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { applyTrial, makeProvider, previewTrial } from './provider.ts';

const app = forSuite(startApp);
let operator: Operator;
let count = 0;
beforeAll(async () => {
  operator = await makeOperator(app);
});

const idOf = async (email: string): Promise<string> =>
  (await app.sql<{ id: string }>('select id from auth.users where email = $1', [email]))[0]?.id ?? '';
const trialOf = (id: string) => operator.ask('POST', `/providers/${id}/trial`, {});
const preview = (id: string) => previewTrial(operator, id);
const apply = (id: string) => applyTrial(operator, id);
const live = () => makeProvider(app, operator, `Live ${++count}`);

test.each([
  ['two people', 2],
  ['three people', 3],
])('names and addresses that %s exchange are applied at once', async (_, many) => {
  const entra = await live();
  const addresses = Array.from({ length: many }, () => `exchange${++count}@trial.test`);
  const people: { id: string }[] = [];
  for (const email of addresses) people.push(await entra.addUser(email));
  const group = await entra.addGroup(`Exchange ${++count}`, []);
  const move = async (at: number, email: string) =>
    expect(
      (
        await entra.send('PUT', `/Users/${people[at]?.id}`, {
          userName: email,
          emails: [{ value: email, primary: true }],
        })
      ).status,
    ).toBe(200);
  await trialOf(entra.id);
  const next = (at: number) => addresses[(at + 1) % many] as string;
  await move(many - 1, `aside${++count}@trial.test`);
  for (let at = many - 2; at >= 0; at--) await move(at, next(at));
  await move(many - 1, next(many - 1));
  const late = await entra.addUser(`late${++count}@trial.test`);
  const patched = await entra.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [{ value: late.id }] });
  expect(patched.status).toBeLessThan(300);
  const shown = await preview(entra.id);
  expect(shown).toMatchObject({ refused: [] });
  expect(shown.readdressed).toHaveLength(many);
  expect(await apply(entra.id)).toEqual({ status: 200, body: { refused: [] } });
  for (const [at, { id }] of people.entries()) {
    expect((await entra.send('GET', `/Users/${id}`)).body.userName).toBe(next(at));
    expect(await idOf(next(at))).toBe(id);
  }
  expect((await entra.send('GET', `/Groups/${group.id}`)).body.members).toMatchObject([{ value: late.id }]);
});

test.each([
  ['two groups', 2],
  ['three groups', 3],
])('names that %s exchange are applied at once, and their people stay in them', async (_, many) => {
  const entra = await live();
  const called = Array.from({ length: many }, () => `Crew ${++count}`);
  const groups: { id: string; person: string }[] = [];
  for (const name of called) {
    const { id: person } = await entra.addUser(`crew${++count}@trial.test`);
    const { id } = await entra.addGroup(name, [person]);
    groups.push({ id, person });
  }
  const rename = async (at: number, displayName: string) =>
    expect(
      (await entra.patch(`/Groups/${groups[at]?.id}`, { op: 'replace', value: { displayName } })).status,
    ).toBeLessThan(300);
  await trialOf(entra.id);
  const next = (at: number) => called[(at + 1) % many] as string;
  await rename(many - 1, `Aside ${++count}`);
  for (let at = many - 2; at >= 0; at--) await rename(at, next(at));
  await rename(many - 1, next(many - 1));
  expect(await preview(entra.id)).toMatchObject({ refused: [] });
  expect(await apply(entra.id)).toEqual({ status: 200, body: { refused: [] } });
  for (const [at, { id, person }] of groups.entries()) {
    expect((await entra.send('GET', `/Groups/${id}`)).body).toMatchObject({
      displayName: next(at),
      members: [{ value: person }],
    });
    expect(await app.sql('select name from public.groups where id = $1', [id])).toEqual([{ name: next(at) }]);
    expect(await app.sql('select user_id from public.group_members where group_id = $1', [id])).toEqual([
      { user_id: person },
    ]);
  }
});
