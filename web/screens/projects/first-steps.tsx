// First steps of a new account: a checklist that ticks itself and can be dismissed.

import { Circle, CircleCheck, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { perform } from '../../actions/registry.tsx';
import { sayRefusal } from '../../commands.ts';
import { type FirstStep, firstSteps, useFirstSteps } from '../../queries/people/first-steps.ts';
import { openProjects, useQuery } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { putAwayFirstSteps, wantsFirstSteps } from '../../session/account.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../../ui/button.tsx';
import { showError } from '../../ui/overlays/toaster.tsx';
import styles from './first-steps.module.css';

export function FirstSteps() {
  const { door } = useApp();
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    let here = true;
    void wantsFirstSteps(door).then(
      (wants) => here && setWanted(wants),
      () => undefined,
    );
    return () => {
      here = false;
    };
  }, [door]);
  if (!wanted) return null;
  return (
    <Steps
      onPutAway={() => {
        putAwayFirstSteps(door).then(
          () => setWanted(false),
          (reason) => showError(t('steps.notHidden'), sayRefusal(reason)),
        );
      }}
    />
  );
}

function Steps({ onPutAway }: { onPutAway: () => void }) {
  const { data } = useFirstSteps();
  const [project] = useQuery(openProjects);
  /** Whoever sees the last one tick itself sees it; who comes later has no use for the list. */
  const [seenOpen, setSeenOpen] = useState(false);
  if (data === null) return null;
  const left = firstSteps.filter((step) => !data[step]).length;
  if (left > 0 && !seenOpen) setSeenOpen(true);
  if (left === 0 && !seenOpen) return null;
  const wayTo: Readonly<Record<FirstStep, string | null>> = {
    project: null,
    task: project ? paths.project(project.id) : null,
    moved: project ? paths.project(project.id) : null,
    invited: project ? paths.project(project.id, 'people') : null,
    hears: paths.account,
  };
  return (
    <section className={`${shapes.card} ${styles.steps}`} aria-label={t('steps.title')}>
      <header className={`${shapes.rowS4} ${styles.head}`}>
        <h2>{t('steps.title')}</h2>
        <span className={`${shapes.quietS} numbers`}>{t('steps.left', { n: left })}</span>
        <IconButton label={t('steps.skip')} onClick={onPutAway}>
          <X size={16} />
        </IconButton>
      </header>
      <ol className={`${shapes.flex} ${shapes.wraps} ${styles.list}`}>
        {firstSteps.map((step) => (
          <li key={step} className={`${shapes.inlineS3} ${shapes.control} ${styles.step}`} data-done={data[step]}>
            {data[step] ? <CircleCheck size={16} aria-hidden="true" /> : <Circle size={16} aria-hidden="true" />}
            <Step step={step} done={data[step]} way={wayTo[step]} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Step({ step, done, way }: { step: FirstStep; done: boolean; way: string | null }) {
  const words = t(`steps.${step}`);
  if (done)
    return (
      <span>
        {words} <span className="only-spoken">{t('steps.done')}</span>
      </span>
    );
  if (step === 'project')
    return (
      <button type="button" className={styles.way} onClick={() => perform('new-project')}>
        {words}
      </button>
    );
  if (way === null) return <span>{words}</span>;
  return (
    <Link href={way} className={styles.way}>
      {words}
    </Link>
  );
}
