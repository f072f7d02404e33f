// Activity of a session: what the agent says and is told, oldest first; thoughts and actions in a row are folded to their last.

import { useState } from 'react';
import { TaskMarkdown } from '../../pieces/task-markdown.tsx';
import type { AgentActivity, Occasion } from '../../queries/agents/sessions.ts';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import { nameOf, profileOf, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import lines from '../../ui/lines.module.css';
import styles from './agents.module.css';

type Run = readonly [AgentActivity, ...AgentActivity[]];

const isStep = ({ kind }: AgentActivity): boolean => kind === 'thought' || kind === 'action';

/** Steps without anything else between them are one run. */
function runsOf(activities: readonly AgentActivity[]): Run[] {
  const runs: [AgentActivity, ...AgentActivity[]][] = [];
  for (const one of activities) {
    const last = runs.at(-1);
    if (last !== undefined && isStep(last[0]) && isStep(one)) last.push(one);
    else runs.push([one]);
  }
  return runs;
}

export function ActivityList({ activities }: { activities: readonly AgentActivity[] }) {
  if (activities.length === 0) return null;
  return (
    <ol className={`${shapes.stackS4} ${shapes.oneColumn}`} aria-label={t('task.activity')}>
      {runsOf(activities).map((run) => (
        <li key={run[0].id} className={shapes.stackS3}>
          <Folded run={run} />
        </li>
      ))}
    </ol>
  );
}

function Folded({ run }: { run: Run }) {
  const [open, setOpen] = useState(false);
  const last = run.at(-1) ?? run[0];
  return (
    <>
      {run.length > 1 && (
        <button
          type="button"
          className={`${shapes.pressInk} ${shapes.quietS} ${shapes.roundM} ${shapes.sideS2} ${styles.fold}`}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {t('agents.folded', { n: run.length - 1 })}
        </button>
      )}
      {(open ? run : [last]).map((one) => (
        <Activity key={one.id} activity={one} />
      ))}
    </>
  );
}

const nothing = (): void => undefined;

const occasions = ['handed_over', 'assigned', 'unassigned', 'proposal_rejected', 'proposal_conflict'] as const;

/** Words of people and agents as they are; those of the database in one's own language. */
function sayBody(body: string, occasion: Occasion | null): string {
  const known = occasions.find((one) => one === occasion?.kind);
  if (known === undefined) return body;
  return [t(`agents.occasions.${known}`), occasion?.reason].filter(Boolean).join('\n\n');
}

function Activity({ activity }: { activity: AgentActivity }) {
  const { kind, body, occasion, created_at: at, user_id: userId } = activity;
  const person = useQuery(profileOf, userId ?? '');
  return (
    <div className={`${shapes.stackS1} ${shapes.breaks} ${styles.activity}`} data-activity={kind}>
      <p className={`${shapes.quietS} ${lines.facts}`}>
        <span>{kind === 'prompt' ? nameOf(person) : t(`agents.kinds.${kind}`)}</span>
        <time dateTime={at} title={sayMoment(at)}>
          {sayAgo(at)}
        </time>
      </p>
      <TaskMarkdown text={sayBody(body, occasion)} onOpen={nothing} />
    </div>
  );
}
