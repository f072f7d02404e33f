// /api/imports: upload of another product's export, preview, start, stop and undo. Routes only queue jobs; `start-imports.ts` runs them on any free
// node, so that a restart in between loses nothing.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Caller, PostgresError } from '../../database/types.ts';
import { CatalogError } from '../../errors.ts';
import { described } from '../../http/describe-routes.ts';
import { takeBody } from '../../http/plain-errors.ts';
import { type BodyBounds, leaveBodies } from '../../http/read-json.ts';
import { readPath, readQuery } from '../../http/read-parameters.ts';
import { renderError } from '../../http/render-error.ts';
import type { Limit } from '../../limits/types.ts';
import type { Services } from '../../services.ts';
import { isPerson } from '../../session/narrowing.ts';
import { SessionFault } from '../../session/types.ts';
import { chosenColleagues } from './chosen-colleagues.ts';
import * as says from './described.ts';
import { importError } from './errors.ts';
import { addJob, change, fileOf, type Job, jobOf, jobsOf, mostOpen, start } from './jobs.ts';
import { mostProblems } from './preview-response.ts';
import { choicesOf, unfit, uuidOrNull } from './read-choices.ts';
import { checkOwned } from './read-upload.ts';
import { messageOf, openReadingLimits, type ReadingLimits } from './reading-limits.ts';
import { takeUpload } from './take-upload.ts';
import { terms } from './terms.ts';
import { runWorker, WorkerEnded } from './worker/run-worker.ts';

const uploads: Limit = { name: 'import uploads', points: 30, windowSeconds: 3600 };
const tries: Limit = { name: 'import previews', points: 60, windowSeconds: 300 };
const starts: Limit = { name: 'import starts', points: 60, windowSeconds: 300 };
/** Choices for each column and each of five thousand people. */
const choiceBounds: BodyBounds = { bytes: 256 * 1024, depth: 5, values: 20_000 };

interface Person {
  readonly userId: string;
  readonly caller: Caller;
}

export async function mountImports(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(
    async (door) => {
      door.setErrorHandler(renderError);
      leaveBodies(door);
      door.describeTerms(terms);
      door.addHook('onRequest', async (_request, reply) => {
        reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', vary: 'authorization' });
      });
      const ration = openReadingLimits(services.limits);
      mountUpload(door, services, ration);
      mountFiles(door, services, ration);
      mountActions(door, services);
    },
    { prefix: '/api/imports' },
  );
}

/** The file is read in pieces when its sender is known and has not sent too many. */
function mountUpload(door: FastifyInstance, services: Services, ration: ReadingLimits): void {
  const { database } = services;
  door.post('/', described(says.uploadImport), async (request, reply) => {
    const person = await personOf(services, request);
    await take(services, uploads, person);
    const { name = '', part = '' } = readQuery(request, says.uploadImport);
    const fileName = name.replaceAll('\0', '');
    const choices = choicesOf({}, part === '' ? null : part);
    const { file, product } = await ration(person.userId, async () => {
      const file = await takeUpload(request.raw);
      const task = { to: 'recognise' as const, fileName, choices };
      return { file, product: await read<string>(services, person, request, { task, file: [file] }) };
    });
    const id = await refusedAsCatalog(() => addJob(database, person.caller, { file, fileName, product, choices }));
    return reply.code(201).send({ id, product });
  });
}

/** In a worker, which ends when whoever asks hangs up. */
async function read<T>(
  { database, log }: Services,
  { caller, userId }: Person,
  request: FastifyRequest,
  work: Pick<Parameters<typeof runWorker>[0], 'task' | 'file'>,
): Promise<T> {
  const gone = new AbortController();
  const hungUp = (): void => gone.abort();
  request.raw.socket.once('close', hungUp);
  try {
    return await runWorker<T>({ ...work, means: { database, caller, userId, saveFile: null }, signal: gone.signal });
  } catch (error) {
    if (!(error instanceof WorkerEnded) || error.by === 'stop') throw error;
    log.warn({ by: error.by, said: error.words, user: userId }, 'a file could not be read: its worker was ended');
    throw importError('KB829', messageOf(error), { cause: error });
  } finally {
    request.raw.socket.off('close', hungUp);
  }
}

function mountFiles(door: FastifyInstance, services: Services, ration: ReadingLimits): void {
  const { database } = services;
  door.get('/', described(says.listImports), async (request) => {
    const { caller } = await personOf(services, request);
    return (await jobsOf(database, caller)).map(shownJob);
  });

  door.get('/:id', described(says.readImport), async (request) => {
    const { caller } = await personOf(services, request);
    return shownJob(await found(services, caller, request));
  });

  door.post('/:id/preview', described(says.previewImport), async (request, reply) => {
    const person = await personOf(services, request);
    await take(services, tries, person);
    const job = await found(services, person.caller, request);
    const body = await takeBody(request, says.previewImport, unfit, choiceBounds);
    const choices = choicesOf(body, job.choices.part ?? null);
    const projectId = await projectIn(services, person.caller, body);
    const { userId } = person;
    const { claims } = person.caller;
    const task = { to: 'preview' as const, userId, claims, projectId, fileName: job.file_name, choices };
    const preview = await ration(userId, async () => {
      const file = await fileOf(database, person.caller, job.id);
      if (file === null) throw importError('KB825', 'This import was begun already');
      return read<string>(services, person, request, { task, file });
    });
    return reply.type('application/json; charset=utf-8').send(preview);
  });

  door.delete('/:id', described(says.removeImport), async (request, reply) => {
    const { caller } = await personOf(services, request);
    const { id } = await found(services, caller, request);
    const { affected } = await database.runAs(caller, {
      text: `delete from private.import_jobs where id = $1 and state not in ('waiting', 'running', 'undoing')`,
      values: [id],
    });
    if (affected === 0) throw importError('KB825', 'It runs: cancel it first');
    return reply.code(204).send();
  });
}

function mountActions(door: FastifyInstance, services: Services): void {
  const { database } = services;
  door.post('/:id/start', described(says.startImport), async (request, reply) => {
    const person = await personOf(services, request);
    const { caller, userId } = person;
    await take(services, starts, person);
    const { id, choices: before } = await found(services, caller, request);
    const body = await takeBody(request, says.startImport, unfit, choiceBounds);
    const name = body.name?.trim() ?? '';
    const projectId = await projectIn(services, caller, body);
    if (projectId === null && name === '')
      throw importError('KB824', 'Say project, the id of one, or name, of one to make');
    const wanted = {
      projectId,
      name,
      choices: choicesOf(body, before.part ?? null),
    };
    const isOwned = await checkOwned({ database, caller, userId, ...wanted });
    const joining = await chosenColleagues({ database, caller, userId, ...wanted }, isOwned);
    const project = await refusedAsCatalog(() => start(database, caller, id, { ...wanted, joining }));
    if (project === 'too many')
      throw importError(
        'KB827',
        `${mostOpen} imports of yours are waiting or running. Start this one when one is done.`,
      );
    if (project === null) throw importError('KB825', 'This import was begun already');
    return reply.code(202).send({ id, projectId: project });
  });

  door.post('/:id/cancel', described(says.cancelImport), async (request) => {
    const { caller } = await personOf(services, request);
    const { id } = await found(services, caller, request);
    const over = { is_over: true, is_cancelled: true };
    if (!(await change(database, caller, id, ['waiting'], 'cancelled', over)))
      if (!(await change(database, caller, id, ['running'], 'running', { is_cancelled: true })))
        throw importError('KB825', 'It does not run');
    return {};
  });

  door.post('/:id/undo', described(says.undoImport), async (request, reply) => {
    const { caller } = await personOf(services, request);
    const job = await found(services, caller, request);
    if (job.import_id === null) throw importError('KB825', 'Nothing of it was written');
    const undone = await change(database, caller, job.id, ['done', 'cancelled', 'failed'], 'undoing', {
      failure: null,
    });
    if (!undone) throw importError('KB825', 'It runs, or was taken back already');
    return reply.code(202).send({});
  });
}

/** By header alone: a cookie would let pages of others import for whoever looks at them. */
async function personOf({ sessions }: Services, request: FastifyRequest): Promise<Person> {
  const token = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw importError('KB821', 'Sign in first');
  try {
    const { caller, claims } = await sessions.verify(token);
    const userId = uuidOrNull(claims.sub);
    if (!isPerson(caller) || userId === null) throw importError('KB821', 'Sign in first');
    return { caller, userId };
  } catch (error) {
    if (error instanceof SessionFault) throw importError('KB821', 'Sign in first', { hint: error.message });
    throw error;
  }
}

async function take({ limits }: Services, limit: Limit, { userId }: Person): Promise<void> {
  const { allowed, retryAfterSeconds } = await limits.take(limit, userId);
  if (!allowed) throw importError('KB827', `That was often. Try again in ${retryAfterSeconds} seconds.`);
}

async function found({ database }: Services, caller: Caller, request: FastifyRequest): Promise<Job> {
  const none = (): Error => importError('KB822', 'There is no such import: upload the file again');
  const { id } = readPath(request, says.readImport, none);
  const job = await jobOf(database, caller, id.toLowerCase());
  if (job === undefined) throw none();
  return job;
}

/** The project that was chosen, in which the caller may write; null for a new one. */
async function projectIn(
  { database }: Services,
  caller: Caller,
  { project }: { readonly project?: string },
): Promise<string | null> {
  if (project === undefined) return null;
  const id = uuidOrNull(project);
  if (id === null) throw importError('KB824', 'project must be the id of one');
  const rows = await database.objectsAs(caller, {
    text: `select project_id from private.my_memberships where project_id = $1 and role in ('owner', 'editor')`,
    values: [id],
  });
  if (rows.length === 0) throw importError('KB826', 'You may not write in this project');
  return id;
}

/** What the database refuses by its own words: how many projects one may have, say. */
async function refusedAsCatalog<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PostgresError)) throw error;
    if (error.sqlstate === '42501') throw importError('KB826', 'You may not write in this project');
    if (error.fields.constraint === 'import_jobs_user_id_fkey')
      throw importError('KB821', 'This account is gone: sign in with another');
    if (/^(KB|PT|P0001|23)/.test(error.sqlstate))
      throw new CatalogError('KB824', 400, { message: error.message, hint: error.hint });
    throw error;
  }
}

function shownJob(job: Job): object {
  const { problems } = job;
  return {
    id: job.id,
    state: job.state,
    product: job.product,
    fileName: job.file_name,
    projectId: job.project_id,
    projectName: job.project_name,
    isNew: job.is_new,
    isCancelled: job.is_cancelled,
    canUndo: job.import_id !== null && ['done', 'cancelled', 'failed'].includes(job.state),
    createdAt: job.created_at,
    done: job.done,
    total: job.total,
    made: job.counts.made ?? 0,
    updated: job.counts.updated ?? 0,
    result: job.result,
    failure: job.failure,
    problems: problems.slice(0, mostProblems),
    problemCount: problems.length,
  };
}
