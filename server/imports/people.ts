// Matches people of the file with members: by address, by hand, or by a name that only one member has. The name of an unmatched person is
// kept in the description of their tasks; they can be invited (`invite-people.ts`).

import type { Caller, StatementRunner } from '../database/types.ts';
import { grouped } from './from/json.ts';
import type { Person, Problem, Read, Task } from './neutral.ts';
import { kindOfState } from './state-kinds.ts';

/** From the keys of a file to ids of members. */
export type Matched = ReadonlyMap<string, string>;

/** From the keys of a file to addresses, in lower case. */
export type Invited = ReadonlyMap<string, string>;

export async function matchPeople(
  database: StatementRunner,
  caller: Caller,
  projectId: string,
  people: readonly Person[],
  /** A name, key or address of the file → the address or id of a member. */
  byHand: ReadonlyMap<string, string> = new Map(),
  /** Ids of people who are no members yet and will be. */
  joining: ReadonlySet<string> = new Set(),
): Promise<Matched> {
  const members = await database.objectsAs<{ id: string; name: string }>(caller, {
    text: `select p.id, p.display_name as name from public.project_members m join public.profiles p on p.id = m.user_id
           where m.project_id = $1`,
    values: [projectId],
  });
  const addresses = [...people.flatMap(({ address }) => address ?? []), ...byHand.values()];
  const known = await database.objectsAs<{ address: string; user_id: string }>(caller, {
    text: `select address, user_id from private.members_by_address($1, array(select jsonb_array_elements_text($2::jsonb)))`,
    values: [projectId, JSON.stringify([...new Set(addresses)])],
  });
  const byAddress = new Map(known.map(({ address, user_id }) => [address, user_id]));
  const isMember = new Set([...members.map(({ id }) => id), ...joining]);
  const matched = new Map<string, string>();
  const byName = grouped(
    members.filter(({ name }) => Boolean(name)),
    ({ name }) => name.toLowerCase(),
  );
  for (const { key, name, address } of people) {
    const chosen = chosenFor({ key, name, address }, byHand);
    const named = byName.get(name.toLowerCase()) ?? [];
    const found =
      chosen !== undefined
        ? isMember.has(chosen)
          ? chosen
          : byAddress.get(chosen.toLowerCase())
        : ((address === null ? undefined : byAddress.get(address.toLowerCase())) ??
          (named.length === 1 ? named[0]?.id : undefined));
    if (found !== undefined) matched.set(key, found);
  }
  return matched;
}

export function chosenFor({ key, name, address }: Person, byHand: ReadonlyMap<string, string>): string | undefined {
  return byHand.get(key) ?? byHand.get(name) ?? (address === null ? undefined : byHand.get(address));
}

/** Whoever is not matched is named in the description; so is what is done in a state that does not say so. */
export function keepNames({ project, problems }: Read, matched: Matched, invited: Invited = new Map()): Read {
  const people = new Map(project.people.map((person) => [person.key, person]));
  const kinds = new Map(project.states.map((state) => [state.name.toLowerCase(), state.kind]));
  const strangers = new Map<string, Problem>();
  for (const key of project.whole?.assigned ?? [])
    if (!matched.has(key) && !invited.has(key))
      strangers.set(key, { kind: 'unknown_person', line: null, about: nameOf(people.get(key), key) });
  const tasks = project.tasks.map((task): Task => {
    const unknown = task.assignees.filter((key) => !matched.has(key));
    for (const key of unknown)
      if (!strangers.has(key) && !invited.has(key))
        strangers.set(key, { kind: 'unknown_person', line: task.line, about: nameOf(people.get(key), key) });
    if (unknown.length === 0 && !task.done) return task;
    const isDone = task.state === null || (kinds.get(task.state.toLowerCase()) ?? kindOfState(task.state)) === 'done';
    if (unknown.length === 0 && isDone) return task;
    return {
      ...task,
      assignees: task.assignees.filter((key) => matched.has(key)),
      awaited: unknown.filter((key) => invited.has(key)),
      leftovers: [
        ...(unknown.length > 0
          ? [['Assigned to', unknown.map((key) => nameOf(people.get(key), key)).join(', ')] as const]
          : []),
        ...(task.done && !isDone ? [['Done', task.completed ?? 'yes'] as const] : []),
        ...task.leftovers,
      ],
    };
  });
  return { project: { ...project, tasks }, problems: [...problems, ...strangers.values()] };
}

function nameOf(person: Person | undefined, key: string): string {
  if (person === undefined) return key;
  return person.address === null || person.name === person.address ? person.name : `${person.name} <${person.address}>`;
}
