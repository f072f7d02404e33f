// Progress of a running import: counts, a way to stop it, its result, and undo.

import { useEffect, useState } from 'react';
import { stopImport, takeImportBack } from '../../commands/import-requests.ts';
import { useAsk } from '../../commands.ts';
import { type ImportJob, readImport } from '../../queries/projects/imports.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Notice } from '../../ui/list-states.tsx';
import styles from './import.module.css';
import { Problems } from './problems.tsx';
import { sayImportRefusal } from './say-import-refusal.ts';

const askedEveryMs = 1000;

export function ImportProgress({ first }: { first: ImportJob }) {
  const ask = useAsk();
  const [job, setJob] = useState(first);
  const [fault, setFault] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const goesOn = ['waiting', 'running', 'undoing'].includes(job.state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every round asks again
  useEffect(() => {
    if (!goesOn) return;
    let late = false;
    const soon = setTimeout(() => {
      ask(readImport, first.id)
        .then(
          (now) => !late && setJob(now),
          // Asked again in a moment: the network may be back by then.
          () => undefined,
        )
        .finally(() => !late && setRound((old) => old + 1));
    }, askedEveryMs);
    return () => {
      late = true;
      clearTimeout(soon);
    };
  }, [ask, first.id, goesOn, round]);

  async function act(request: Promise<unknown>): Promise<void> {
    setFault(null);
    try {
      await request;
      setJob(await ask(readImport, first.id));
    } catch (reason) {
      setFault(sayImportRefusal(reason));
    }
  }

  const tone = job.state === 'failed' ? 'danger' : job.state === 'done' ? 'good' : 'plain';
  return (
    <>
      {fault && <Notice tone="danger">{fault}</Notice>}
      <Notice tone={tone}>
        {t(`import.states.${job.state}`, { made: job.made, updated: job.updated })}
        {job.failure && ` ${job.failure}`}
      </Notice>
      {goesOn && (
        <progress
          className={`${shapes.full} ${styles.progress}`}
          aria-label={t('import.progress')}
          max={Math.max(job.total, 1)}
          {...(job.state === 'running' && job.total > 0 ? { value: job.done } : {})}
        />
      )}
      <p className={`${shapes.wrapS3} ${styles.actions}`}>
        {(job.state === 'waiting' || job.state === 'running') && (
          <Button onClick={() => void act(ask(stopImport, job.id))}>{t('import.stop')}</Button>
        )}
        {job.projectId !== null && job.projectName !== null && (
          <ButtonLink href={paths.project(job.projectId)} look={goesOn ? 'plain' : 'main'}>
            {t('common.openProject')}
          </ButtonLink>
        )}
        {job.canUndo && <Button onClick={() => void act(ask(takeImportBack, job.id))}>{t('import.undo')}</Button>}
        {!goesOn && <ButtonLink href={paths.imports}>{t('import.again')}</ButtonLink>}
      </p>
      {job.state !== 'undone' && <Problems problems={job.problems} count={job.problemCount} />}
    </>
  );
}
