// Fills in the sample workspace through the public doors, as the people in it would have done, and then lets it grow
// older, so that history and figures look back on twelve weeks.

import { randomUUID } from 'node:crypto';
import type { Services } from '../services.ts';
import { type ApiClient, openApiClient, RequestFailed } from './api-client.ts';
import { type Backdated, backdateHistory } from './backdate-history.ts';
import { files, portraits } from './files.ts';
import { daysOf, keepPlan } from './plan.ts';
import { keepTemplates } from './templates.ts';
import { type Course, planCourses, randomFrom } from './timeline.ts';
import { keepFeeds, keepViews, keepViewsAcross } from './views.ts';
import { checklist, type DemoPerson, type DemoProject, people, projects } from './workspace.ts';

export interface FilledDemo {
  readonly users: readonly DemoPerson[];
  readonly projects: readonly string[];
  /** False when the people were there already and nothing was added. */
  readonly added: boolean;
}

interface Row {
  readonly id: string;
}

/** `ownerUrl`: the owner's address of the database; only the owner can change when things happened. */
export async function fillDemo(services: Services, ownerUrl: string, say: (line: string) => void): Promise<FilledDemo> {
  const names = projects.map((project) => project.name);
  const ids = await signUp(services);
  if (ids === null) return { users: people, projects: names, added: false };
  const team = await Promise.all(people.map((person) => signIn(services, person)));
  await Promise.all(team.map((person, place) => showFace(person, at(ids, place), place)));
  const now = new Date();
  const aged: Backdated = { tasks: [], comments: [], projects: [] };
  // Side by side: their commits share trips to the disk.
  await Promise.all(
    projects.map(async (project, index) => {
      await fillProject(project, planCourses(project.titles.length, now, index + 7), team, ids, aged, now);
      say(`${project.name}: ${project.titles.length} tasks`);
    }),
  );
  const [owner] = team;
  if (owner) {
    await keepViewsAcross(owner);
    await keepFeeds(owner);
  }
  await backdateHistory(ownerUrl, aged);
  return { users: people, projects: names, added: true };
}

async function signUp(services: Services): Promise<string[] | null> {
  const service = openApiClient(services, services.sessions.serviceRoleKey);
  const ids: string[] = [];
  for (const { name, email, password } of people)
    try {
      const user = await service.post<Row>('/auth/v1/admin/users', {
        email,
        password,
        email_confirm: true,
        user_metadata: { name },
      });
      ids.push(user.id);
    } catch (error) {
      if (error instanceof RequestFailed && error.status === 422) return null;
      throw error;
    }
  return ids;
}

async function signIn(services: Services, { email, password }: DemoPerson): Promise<ApiClient> {
  const anybody = openApiClient(services, services.sessions.anonKey);
  const session = await anybody.post<{ access_token: string }>('/auth/v1/token?grant_type=password', {
    email,
    password,
  });
  return openApiClient(services, session.access_token);
}

/** Their picture, in the folder of their own. */
async function showFace(person: ApiClient, id: string, place: number): Promise<void> {
  const path = `avatars/${id}/${randomUUID()}.png`;
  await person.upload(path, 'image/png', at(portraits, place)());
  await person.patch(`/rest/v1/profiles?id=eq.${id}`, { avatar_url: `/storage/v1/object/public/${path}` });
}

/** Ids of what is attached, by name. */
async function attach(
  key: string,
  project_id: string,
  taskIds: readonly string[],
  team: readonly ApiClient[],
): Promise<Map<string, string>> {
  const named = new Map<string, string>();
  for (const { project, task, author, name, type, isCover, bytes } of files) {
    if (project !== key) continue;
    const [id, task_id, person, made] = [randomUUID(), at(taskIds, task), at(team, author), bytes()];
    const object_path = `${project_id}/${task_id}/${id}/${name}`;
    await person.upload(`attachments/${object_path}`, type, made);
    const row = { id, project_id, task_id, name, content_type: type, size_bytes: made.length, object_path };
    await person.post('/rest/v1/task_attachments', [row]);
    if (isCover) await person.patch(`/rest/v1/tasks?id=eq.${task_id}`, { cover_attachment_id: id });
    named.set(name, id);
  }
  return named;
}

async function fillProject(
  plan: DemoProject,
  courses: readonly Course[],
  team: readonly ApiClient[],
  ids: readonly string[],
  aged: Backdated,
  now: Date,
): Promise<void> {
  const owner = at(team, 0);
  const { name, description, key, color, titles, labels } = plan;
  const project = await owner.post<Row>('/rest/v1/rpc/create_project_with_defaults', { name, description, key });
  const project_id = project.id;
  await owner.patch(`/rest/v1/projects?id=eq.${project_id}`, { color });
  await owner.post('/rest/v1/project_members', [{ project_id, user_id: ids[1], role: 'editor' }]);
  const columns = await owner.get<Row[]>(
    `/rest/v1/workflow_columns?select=id&project_id=eq.${project_id}&order=position`,
  );
  const labelRows = await owner.post<Row[]>(
    '/rest/v1/task_labels',
    labels.map(([label, color]) => ({ project_id, name: label, color })),
  );

  const random = randomFrom(titles.length + name.length);
  const priorities = ['p0', 'p1', 'p1', 'p2', 'p2', 'p2', 'p2'] as const;
  const taskIds: string[] = [];
  const details = new Map(plan.details);
  // Made one after the other, so that numbers follow the order of the list; each of the two thought of half of them.
  for (const [place, title] of titles.entries()) {
    const [task] = await at(team, place % 2).post<Row[]>('/rest/v1/tasks', [
      {
        project_id,
        column_id: at(columns, 0).id,
        title,
        description: details.get(place) ?? '',
        priority: at(priorities, Math.floor(random() * priorities.length)),
        ...daysOf(plan, place, at(courses, place), now),
        estimate: random() < 0.5 ? 1 + Math.floor(random() * 8) : null,
      },
    ]);
    if (task) taskIds.push(task.id);
  }

  const worked = taskIds.filter((_, place) => at(courses, place).stage !== 'backlog' || place % 3 === 0);
  await owner.post(
    '/rest/v1/task_assignees',
    worked.map((task_id, place) => ({ project_id, task_id, user_id: ids[place % 2] })),
  );
  await at(team, 1).post(
    '/rest/v1/task_label_links',
    taskIds
      .filter((_, place) => place % 2 === 0)
      .map((task_id, place) => ({ project_id, task_id, label_id: at(labelRows, place % labels.length).id })),
  );
  await move(taskIds, columns, courses, team);
  await keepPlan(plan, project_id, taskIds, owner);
  for (const [parent, parts] of plan.parts)
    for (const [step, part] of parts.entries())
      await owner.patch(`/rest/v1/tasks?id=eq.${at(taskIds, part)}`, {
        parent_id: at(taskIds, parent),
        subtask_position: step + 1,
      });
  const fields = await fillFields(plan, project_id, worked, owner);
  await owner.post(
    '/rest/v1/task_checklist_items',
    taskIds
      .filter((_, place) => place % 7 === 4)
      .flatMap((task_id) => checklist.map((title, step) => ({ project_id, task_id, title, is_done: step === 0 }))),
  );
  const named = await attach(key, project_id, taskIds, team);
  for (const [place, author, words, answer] of plan.comments) {
    const body = words.replaceAll(
      /\(attachment:([\w.-]+)\)/g,
      (_all, name: string) => `(attachment:${named.get(name)})`,
    );
    const [comment] = await at(team, author).post<Row[]>('/rest/v1/task_comments', [
      { project_id, task_id: at(taskIds, place), body },
    ]);
    const { created, completed } = at(courses, place);
    const end = completed ?? new Date();
    if (comment === undefined) continue;
    const commentedAt = new Date(created.getTime() + (end.getTime() - created.getTime()) * (0.5 + random() * 0.4));
    aged.comments.push({ id: comment.id, at: commentedAt });
    if (answer === undefined) continue;
    const other = at(team, 1 - author);
    const [reply] = await other.post<Row[]>('/rest/v1/task_comments', [
      { project_id, task_id: at(taskIds, place), parent_id: comment.id, body: answer.body },
    ]);
    await other.post('/rest/v1/comment_reactions', [{ comment_id: comment.id, emoji: answer.emoji }]);
    if (reply) aged.comments.push({ id: reply.id, at: new Date(commentedAt.getTime() + 20 * 60_000) });
  }
  await keepViews(owner, project_id, fields);
  if (plan.monthly.length > 0) await keepTemplates(owner, project_id, taskIds);
  aged.projects.push({
    id: project_id,
    created: new Date(Math.min(...courses.map(({ created }) => created.getTime())) - 86_400_000),
  });
  taskIds.forEach((id, place) => {
    aged.tasks.push({ id, ...at(courses, place) });
  });
}

/** What tasks hold in the fields; answers by which property each is asked. */
async function fillFields(
  plan: DemoProject,
  project_id: string,
  tasks: readonly string[],
  owner: ApiClient,
): Promise<Map<string, string>> {
  const properties = new Map<string, string>();
  for (const { values, ...field } of plan.fields) {
    const [made] = await owner.post<Row[]>('/rest/v1/custom_fields', [{ project_id, ...field }]);
    if (made === undefined) continue;
    properties.set(field.name, `${field.kind}_field.${made.id}`);
    await owner.post(
      '/rest/v1/task_field_values',
      tasks.map((task_id, place) => ({
        project_id,
        task_id,
        field_id: made.id,
        value: at(values, place % values.length),
      })),
    );
  }
  return properties;
}

async function move(
  taskIds: readonly string[],
  columns: readonly Row[],
  courses: readonly Course[],
  team: readonly ApiClient[],
): Promise<void> {
  const steps = { backlog: 0, toDo: 1, inProgress: 2, done: 3 } as const;
  for (const [place, task_id] of taskIds.entries())
    for (let step = 1; step <= steps[at(courses, place).stage]; step += 1)
      await at(team, (place + step) % 2).post('/rest/v1/rpc/move_task', { task_id, column_id: at(columns, step).id });
}

function at<T>(list: readonly T[], place: number): T {
  const found = list[place];
  if (found === undefined) throw new Error(`The sample has nothing at place ${place}`);
  return found;
}
