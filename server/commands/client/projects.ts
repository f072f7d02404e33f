// `kanbase project`, and the project that a command is about: named by key, name or id, the usual one, or the only one.

import { CommandError } from '../command.ts';
import { type ClientCall, type ClientCommand, type ClientFlag, one } from './client-command.ts';
import type { Instance } from './instance.ts';
import { cleanLine, sayJson, sayTable } from './write-output.ts';

export interface Project {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

export const projectFlag: ClientFlag = {
  name: 'project',
  short: 'p',
  value: 'project',
  meaning: 'Key or name of the project; left out: the usual one.',
};

export const projectCommands: readonly ClientCommand[] = [
  {
    name: 'project list',
    summary: 'List your projects; the usual one is marked.',
    run: list,
  },
  {
    name: 'project use',
    summary: 'Choose the usual project of the instance.',
    words: [{ name: 'PROJECT', meaning: 'Its key or name.', takesRest: true }],
    examples: ['npx kanbase project use WEB'],
    run: use,
  },
];

export function readProjects(instance: Instance): Promise<readonly Project[]> {
  return instance.read('projects', [
    ['select', 'id,key,name'],
    ['archived_at', 'is.null'],
    ['order', 'name,id'],
  ]);
}

/** null: none is named, none is the usual one, and there are several. */
export async function chosenProject(call: ClientCall): Promise<Project | null> {
  const instance = await call.instance();
  const named = one(call, 'project') ?? instance.usualProject;
  const projects = await readProjects(instance);
  if (named !== null) return findProject(projects, named);
  return projects.length === 1 ? (projects[0] ?? null) : null;
}

export async function requireProject(call: ClientCall): Promise<Project> {
  const project = await chosenProject(call);
  if (project !== null) return project;
  throw new CommandError('which project? Name it with --project, or choose one for good: npx kanbase project use KEY');
}

export function findProject(projects: readonly Project[], named: string): Project {
  const wanted = named.trim().toLowerCase();
  const exact = projects.filter(({ id, key, name }) => [id, key, name].some((text) => text.toLowerCase() === wanted));
  const found = exact.length > 0 ? exact : projects.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const [project, other] = found;
  if (project !== undefined && other === undefined) return project;
  const shown = (some: readonly Project[]): string =>
    some
      .slice(0, 10)
      .map(({ key, name }) => `${key} (${cleanLine(name)})`)
      .join(', ');
  if (project !== undefined) throw new CommandError(`${JSON.stringify(named)} could be ${shown(found)}: name its key`);
  throw new CommandError(
    projects.length === 0
      ? 'you see no project yet: create one in the app, or ask for an invitation'
      : `no project is called ${JSON.stringify(named)}. There are ${shown(projects)}${projects.length > 10 ? ' …' : ''}`,
  );
}

async function list(call: ClientCall): Promise<void> {
  const instance = await call.instance();
  const projects = await readProjects(instance);
  const usual = instance.usualProject === null ? null : idOf(projects, instance.usualProject);
  const rows = projects.map((project) => ({ ...project, usual: project.id === usual }));
  if (call.flags.has('json')) return sayJson(call.screen, rows);
  if (rows.length === 0) return call.screen.note('No projects yet.');
  sayTable(
    call.screen,
    [
      { head: 'KEY', text: ({ key }) => key, tone: 'bold' },
      { head: 'NAME', text: ({ name }) => name, isElastic: true },
      { head: '', text: ({ usual: isUsual }) => (isUsual ? 'usual' : ''), tone: 'dim' },
    ],
    rows,
  );
}

function idOf(projects: readonly Project[], named: string): string | null {
  try {
    return findProject(projects, named).id;
  } catch {
    return null;
  }
}

async function use(call: ClientCall): Promise<void> {
  const instance = await call.instance();
  const project = findProject(await readProjects(instance), call.words[0] ?? '');
  await instance.keepUsualProject(project.id);
  if (call.flags.has('json')) return sayJson(call.screen, project);
  call.screen.say(`${cleanLine(`${project.key} ${project.name}`)} is the usual project`);
}
