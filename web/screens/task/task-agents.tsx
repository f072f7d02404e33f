// Sessions of agents on the page of a task: open ones whole, and those with open proposals; past ones as lines that lead to theirs.

import { openProposalsIn } from '../../queries/agents/at-work.ts';
import { type AgentSession, useSessions } from '../../queries/agents/sessions.ts';
import { type Reader, type TaskRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Notice } from '../../ui/list-states.tsx';
import { SessionBody } from '../agents/session-body.tsx';
import { SessionLine } from '../agents/session-head.tsx';
import taskPartStyles from './task-part.module.css';

const waiting = {
  /** Ids with spaces between. */
  read: (store: Reader, ids: string, projectId: string): string =>
    ids
      .split(' ')
      .filter((id) => openProposalsIn.read(store, id, projectId) > 0)
      .join(' '),
} as const;

export default function TaskAgents({ task }: { task: TaskRow }) {
  const { data, failed } = useSessions(task.project_id, task.id);
  const sessions = data?.sessions ?? [];
  const proposing = useQuery(waiting, sessions.map(({ id }) => id).join(' '), task.project_id).split(' ');
  const isWhole = ({ id, ended_at }: AgentSession): boolean => ended_at === null || proposing.includes(id);
  const past = sessions.filter((one) => !isWhole(one));
  if (sessions.length === 0 && !failed) return null;
  return (
    <section className={`${shapes.lineS3} ${shapes.column}`} aria-label={t('agents.title')}>
      <div className={taskPartStyles.partHead}>
        <h3>{t('agents.title')}</h3>
      </div>
      {failed !== null && <Notice>{t('common.stale')}</Notice>}
      {sessions.filter(isWhole).map(({ id }) => (
        <div key={id} className={`${shapes.box} ${shapes.panel}`}>
          <SessionBody projectId={task.project_id} sessionId={id} bare />
        </div>
      ))}
      {past.length > 0 && (
        <details>
          <summary>{t('agents.pastHere', { n: past.length })}</summary>
          <ul className={`${shapes.stackS2} ${shapes.oneColumn}`}>
            {past.map((one) => (
              <SessionLine key={one.id} session={one} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
