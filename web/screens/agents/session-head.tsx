// Head of a session: who works at what, its state, who is responsible, and its limits; a link to it in a list.

import { Link } from 'wouter';
import { AgentWord } from '../../pieces/agent-tag.tsx';
import { type ShownState, StateMark } from '../../pieces/session-state.tsx';
import { type AgentSession, nameOfWorker } from '../../queries/agents/sessions.ts';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import { nameOf, profileOf, type Reader, taskKey, useQuery } from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import lines from '../../ui/lines.module.css';
import { RowLink } from '../../ui/lists/row-link.tsx';
import styles from './agents.module.css';

export const stateOf = ({ state, stopped_by: stopped }: AgentSession): ShownState =>
  stopped === null ? state : 'stopped';

export const namedTask = {
  read(
    store: Reader,
    taskId: string,
  ): { readonly key: string; readonly address: string; readonly title: string } | null {
    const task = store.get('tasks', taskId);
    if (task === undefined) return null;
    const key = taskKey(store.get('projects', task.project_id), task);
    return { key, address: addressOf(task), title: task.title };
  },
} as const;

interface OfSession {
  readonly session: AgentSession;
}

/** The worker, with a picture of their own. */
export function WorkerFace({ session, size = 32 }: OfSession & { size?: 24 | 32 }) {
  const worker = useQuery(profileOf, session.user_id ?? '');
  return <Avatar name={nameOf(worker)} url={worker?.avatar_url ?? null} seed={session.user_id ?? ''} size={size} />;
}

function useWorkerName(session: AgentSession): string {
  return nameOfWorker(session, nameOf(useQuery(profileOf, session.user_id ?? '')));
}

export function WorkerName({ session }: OfSession) {
  const name = useWorkerName(session);
  return (
    <>
      <span className={shapes.medium}>{name}</span> {session.agent_id !== null && <AgentWord />}
    </>
  );
}

/** The key of its task, its own title, or that of the task. */
export function useSessionTitle(session: AgentSession): string {
  const task = useQuery(namedTask, session.task_id ?? '');
  const title = session.title || task?.title || t('agents.untitled');
  return task === null ? title : `${task.key} ${title}`;
}

/** Facts behind one another: who answers for it, what it may do, when it was. */
export function SessionFacts({ session, changes }: OfSession & { changes?: number }) {
  const responsible = useQuery(profileOf, session.responsible_id ?? '');
  const stopper = useQuery(profileOf, session.stopped_by ?? '');
  const at = session.ended_at ?? session.created_at;
  return (
    <span className={`${shapes.quietS} ${lines.facts}`}>
      {session.responsible_id !== null && <span>{t('agents.responsible', { name: nameOf(responsible) })}</span>}
      {session.stopped_by !== null && <span>{t('agents.stoppedBy', { name: nameOf(stopper) })}</span>}
      <span>{t(`agents.modes.${session.mode}`)}</span>
      <time dateTime={at} title={sayMoment(at)}>
        {t(session.ended_at === null ? 'agents.started' : 'agents.ended', { when: sayAgo(at) })}
      </time>
      {changes !== undefined && <span>{t('agents.changes', { n: changes })}</span>}
      {session.cost !== null && <span>{t('agents.cost', { cost: sayNumber(session.cost) })}</span>}
      {session.undone_at !== null && <span>{t('agents.wasUndone')}</span>}
    </span>
  );
}

/** `bare`: on the page of its task, which needs no title. */
export function SessionHead({ session, bare = false }: OfSession & { bare?: boolean }) {
  const task = useQuery(namedTask, session.task_id ?? '');
  return (
    <div className={shapes.rowS4} data-session-head>
      <WorkerFace session={session} />
      <div className={`${shapes.stackS1} ${shapes.fill}`}>
        <div className={shapes.flowS3}>
          <span>
            <WorkerName session={session} />
          </span>
          <StateMark state={stateOf(session)} />
        </div>
        {!bare && task !== null && (
          <Link href={paths.task(session.project_id, task.address)} className={styles.task}>
            {task.key} {task.title}
          </Link>
        )}
        <SessionFacts session={session} />
      </div>
    </div>
  );
}

/** In a list of them. */
export function SessionLine({ session, changes }: OfSession & { changes?: number | undefined }) {
  const title = useSessionTitle(session);
  return (
    <li className={`${shapes.row} ${lines.line}`} data-session={session.id}>
      <WorkerFace session={session} />
      <span className={`${shapes.breaks} ${lines.words}`}>
        <RowLink href={paths.session(session.project_id, session.id)} className={styles.line}>
          {title}
        </RowLink>
        <span className={`${shapes.softS} ${lines.facts}`}>
          <span>
            <WorkerName session={session} />
          </span>
        </span>
        <SessionFacts session={session} {...(changes === undefined ? {} : { changes })} />
      </span>
      <StateMark state={stateOf(session)} />
    </li>
  );
}
