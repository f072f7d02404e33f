// Programs: tokens of a person that are narrowed by scope and projects. What is due to one follows from the matrix: all that its person may, as far
// as the token leaves it.

import { randomUUID } from 'node:crypto';
import { tryVerb, verbsWith } from '../files/verbs.ts';
import type { TestApp } from '../helpers/app.ts';
import { hangUp, subscribe } from '../realtime/subscribe.ts';
import type { Board } from '../sql/board.ts';
import { askCell, type Cells, due, matrix, type Verb } from '../sql/matrix-cells.ts';
import type { Ground } from './callers-and-board.ts';
import { asTrial, inShort } from './cells.ts';
import { after, before } from './files.ts';
import { levelOf, mayCall, type Narrowing, narrowed } from './narrowing.ts';
import { every, isRefusal } from './procedures.ts';

export interface Program extends Narrowing {
  readonly name: string;
  readonly person: 'owner' | 'editor';
}

const people = ['owner', 'editor'] as const;
export const programs: readonly Program[] = people.flatMap((person) =>
  (
    [
      ['read', 'all'],
      ['read', 'here'],
      ['comment', 'here'],
      ['write', 'here'],
      ['write', 'all'],
      ['write', 'elsewhere'],
      ['openid email', 'all'],
    ] as const
  ).map(([scope, projects]) => ({ name: `${scope}, ${projects}, of the ${person}`, person, scope, projects })),
);
/** Each scope with each reach once at least; keys of the editor that name the project are among all callers. */
export const beside = programs.filter(({ person, scope, projects }) =>
  person === 'owner' ? `${scope} ${projects}` !== 'write all' : scope !== 'openid email' && projects !== 'here',
);

/** Tokens by name of the program. */
export async function tokensOf(
  app: Pick<TestApp, 'services'>,
  { board, second }: Pick<Ground, 'board' | 'second'>,
): Promise<ReadonlyMap<string, string>> {
  const tokens = new Map<string, string>();
  for (const { name, person, scope, projects } of programs) {
    const named = { all: undefined, own: undefined, here: [board.project], elsewhere: [second] }[projects];
    const claims = { sub: board.people[person].id, role: 'authenticated', aud: 'authenticated', scope };
    const token = await app.services.sessions.sign(
      { ...claims, ...(named === undefined ? {} : { projects: named }) },
      3600,
    );
    tokens.set(name, token);
  }
  return tokens;
}

export const dueTo = (program: Program, table: string, verb: Verb): ReturnType<typeof due> =>
  due(narrowed(table, matrix[table] as Cells, program), verb, program.person);

export async function askProgram(
  app: Pick<TestApp, 'request'>,
  board: Board,
  { program, token, table, verb }: { program: Program; token: string; table: string; verb: Verb },
): Promise<{ readonly due: string; readonly came: string }> {
  const show = ({ status, rows, code }: ReturnType<typeof due>): string =>
    rows === null ? `${status} ${code}` : `${status}, ${rows} rows`;
  const came = await askCell(app, board, { verb, table, role: program.person, token });
  return { due: show(dueTo(program, table, verb)), came: show(came) };
}

// Procedures ---------------------------------------------------------------------------------------------------------------

/** Beside what each may, what came of it for the person: the program gets the same, or less. */
export async function askProcedures(
  ground: Ground,
  { program, token }: { program: Program; token: string },
): Promise<string[]> {
  const wrong: string[] = [];
  const ask = async (line: (typeof every)[number], bearer: string): Promise<string> =>
    inShort(
      await ground.app.request(`/rest/v1/rpc/${line.name}`, {
        method: 'POST',
        token: bearer,
        headers: asTrial,
        body: JSON.stringify(line.given(ground)),
      }),
    );
  for (const line of every) {
    const given = line.given(ground);
    const due = mayCall(program, line, given);
    const [person, came] = [await ask(line, ground.board.people[program.person].token), await ask(line, token)];
    const isLess = isRefusal(came);
    if (due === null ? !/^2/.test(came) && !isLess : due ? came !== person : !isLess)
      wrong.push(`${line.name} ${JSON.stringify(given)}: the person gets ${person}, the program ${came}`);
  }
  return wrong;
}

// Files and channels -------------------------------------------------------------------------------------------------------

const reading = ['download', 'resize', 'info', 'list', 'sign'];

export async function askFiles(
  { app, board }: Ground,
  { program, token }: { program: Program; token: string },
): Promise<string[]> {
  const wrong: string[] = [];
  const server = app.client({ key: app.serviceKey }).storage.from('attachments');
  const bucket = app.client({ token }).storage.from('attachments');
  const isReached = program.projects !== 'elsewhere';
  for (const [name, verb] of Object.entries(verbsWith(after))) {
    if (name === 'by address') continue;
    const folder = `${board.project}/${board.tasks[0]}/${randomUUID()}`;
    const asked = { bucket, server, path: `${folder}.png`, other: `${folder} 2.png`, before };
    const { result, kept } = await tryVerb(verb, asked);
    const may = isReached && levelOf(program.scope) >= (reading.includes(name) ? 1 : 3);
    if (!kept || (result === 'ok') !== may) wrong.push(`${name}: ${result}, ${kept ? 'as' : 'not as'} the file says`);
  }
  return wrong;
}

export async function askTopics(
  { app, board }: Ground,
  { program, token }: { program: Program; token: string },
): Promise<Readonly<Record<string, boolean>>> {
  const client = app.client({ token });
  await client.realtime.setAuth();
  const config = { private: true };
  const joins = async (name: string): Promise<boolean> => {
    const channel = client.channel(name, { config });
    const came = await subscribe(channel).then(
      () => true,
      () => false,
    );
    await client.removeChannel(channel);
    return came;
  };
  const speaks = (name: string): Promise<boolean> =>
    client
      .channel(name, { config })
      .httpSend('word', {})
      .then(
        ({ success }) => success,
        () => false,
      );
  const own = `user:${board.people[program.person].id}`;
  const came = {
    'listens in the project’s': await joins(`project:${board.project}`),
    'speaks in the project’s': await speaks(`project:${board.project}`),
    'listens in its person’s': await joins(own),
    'speaks in its person’s': await speaks(own),
  };
  await hangUp(client);
  return came;
}

export function dueInTopics({ scope, projects }: Program): Readonly<Record<string, boolean>> {
  const level = levelOf(scope);
  return {
    'listens in the project’s': level > 0 && projects !== 'elsewhere',
    'speaks in the project’s': level > 1 && projects !== 'elsewhere',
    'listens in its person’s': level > 0 && projects === 'all',
    'speaks in its person’s': level > 1 && projects === 'all',
  };
}
