// One session, live: its state, plan, activity with the box for answers, links, proposals, and on its page what it changed.

import { Link } from 'wouter';
import { type AgentSession, useSession, type WholeSession } from '../../queries/agents/sessions.ts';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import { nameThrough } from '../../queries/people/name-through.ts';
import { nameOf, useQuery, useReader } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Loading, Notice } from '../../ui/list-states.tsx';
import { sayActivity } from '../task/say-activity.ts';
import { ActivityList } from './activity-list.tsx';
import styles from './agents.module.css';
import { AnswerForm } from './answer-form.tsx';
import { PlanList } from './plan-list.tsx';
import { Proposals } from './proposals.tsx';
import { namedTask, SessionHead } from './session-head.tsx';
import { useSessionRights } from './session-rights.ts';
import { OutsideNotice, SessionTools } from './session-tools.tsx';
import { useSessionRequest } from './use-session-request.ts';

interface SessionBodyProps {
  readonly projectId: string;
  readonly sessionId: string;
  /** On the page of its task: without what it changed, which stands in the history there. */
  readonly bare?: boolean;
}

export function SessionBody({ projectId, sessionId, bare = false }: SessionBodyProps) {
  const { data, failed, again } = useSession(projectId, sessionId);
  if (data === null)
    return failed === null ? (
      <Loading label={t('common.loading')} />
    ) : (
      <EmptyState title={t('common.failed.title')} action={<Button onClick={again}>{t('common.retry')}</Button>}>
        <p>{t('common.failed.words')}</p>
      </EmptyState>
    );
  if (data.found === null)
    return (
      <EmptyState title={t('common.failed.goneTitle')}>
        <p>{t('common.failed.goneWords')}</p>
      </EmptyState>
    );
  return (
    <>
      {failed !== null && <Notice>{t('common.stale')}</Notice>}
      <Whole whole={data.found} again={again} bare={bare} />
    </>
  );
}

function Whole({ whole, again, bare }: { whole: WholeSession; again: () => void; bare: boolean }) {
  const { session, activities, proposals, lines } = whole;
  const rights = useSessionRights(whole);
  const request = useSessionRequest(again);
  return (
    <div className={`${shapes.stackS5} ${shapes.oneColumn}`} data-session-body={session.id}>
      <SessionHead session={session} bare={bare} />
      <OutsideNotice session={session} rights={rights} request={request} />
      <PlanList plan={session.plan} />
      <ActivityList activities={activities} />
      {activities.length === 0 && session.ended_at === null && (
        <p className={shapes.quietS}>{t('agents.waitsToBegin')}</p>
      )}
      {session.ended_at === null && rights.answers && <AnswerForm session={session} request={request} />}
      <Links session={session} />
      <Proposals sessionId={session.id} proposals={proposals} decides={rights.decides} request={request} />
      {!bare && <Trail lines={lines} />}
      <SessionTools session={session} rights={rights} request={request} again={again} hasChanges={hasChanges(whole)} />
    </div>
  );
}

/** Something to undo. A proposal may be accepted after the session was undone. */
function hasChanges({ session: { mode, undone_at: undone }, lines }: WholeSession): boolean {
  if (undone === null) return lines.length > 0 || mode !== 'read';
  return lines.some((line) => Date.parse(line.created_at) > Date.parse(undone));
}

function Links({ session }: { session: AgentSession }) {
  // Written by the agent: only addresses of the web lead anywhere.
  const links = session.links.filter(({ url }) => /^https?:\/\//i.test(url));
  if (links.length === 0) return null;
  return (
    <section className={shapes.stackS3} aria-label={t('agents.links')}>
      <h4>{t('agents.links')}</h4>
      <ul className={shapes.stackS2}>
        {links.map(({ title, url }) => (
          <li key={url} className={shapes.breaks}>
            <a href={url} target="_blank" rel="noopener noreferrer nofollow">
              {title || url}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Below the title of their task, which is said once for lines in a row. */
function Trail({ lines }: Pick<WholeSession, 'lines'>) {
  const store = useReader();
  return (
    <section className={shapes.stackS3} aria-label={t('agents.trail')}>
      <h4>{t('agents.trail')}</h4>
      {lines.length === 0 && <p className={shapes.quietS}>{t('agents.noChanges')}</p>}
      {lines.length > 0 && (
        <ol className={`${shapes.stackS3} ${shapes.oneColumn}`}>
          {lines.map((line, at) => (
            <li key={line.id} className={`${shapes.stackS2} ${shapes.softS} ${shapes.breaks}`}>
              {line.task_id !== lines[at - 1]?.task_id && (
                <OfTask projectId={line.project_id} taskId={line.task_id ?? ''} />
              )}
              <span>
                <span className={shapes.medium}>
                  {nameThrough(nameOf(store.get('profiles', line.actor_id ?? '')), line.program)}
                </span>{' '}
                {sayActivity(line, store)}{' '}
                <time className={shapes.quiet} dateTime={line.created_at} title={sayMoment(line.created_at)}>
                  {sayAgo(line.created_at)}
                </time>
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function OfTask({ projectId, taskId }: { projectId: string; taskId: string }) {
  const task = useQuery(namedTask, taskId);
  if (task === null) return null;
  return (
    <Link href={paths.task(projectId, task.address)} className={styles.task}>
      {task.key} {task.title}
    </Link>
  );
}
