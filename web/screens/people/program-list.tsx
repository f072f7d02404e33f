// Apps that members let in, and clients of service accounts, that reach a project; its owners take them out of reach.

import { AppWindow } from 'lucide-react';
import { useEffect, useState } from 'react';
import {
  listProjectPrograms,
  type ProgramOfProject,
  removeProgramFromProject,
} from '../../commands/project-program-requests.ts';
import { sayRefusal, useAsk } from '../../commands.ts';
import { localDay, sayAgo, sayDay } from '../../queries/days/days.ts';
import { nameOf, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { EndQuestion } from './end-question.tsx';
import styles from './people.module.css';

export default function ProgramList({ projectId }: { projectId: string }) {
  const ask = useAsk();
  const store = useReader();
  const [programs, setPrograms] = useState<readonly ProgramOfProject[] | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [asking, setAsking] = useState<ProgramOfProject | null>(null);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    ask(listProjectPrograms, projectId).then(setPrograms, (reason) => setFault(sayRefusal(reason)));
  }, [ask, projectId]);

  async function remove(id: string): Promise<void> {
    setBusy(true);
    setFault(null);
    try {
      await ask(removeProgramFromProject, id, projectId);
      setPrograms(await ask(listProjectPrograms, projectId));
    } catch (reason) {
      setFault(sayRefusal(reason));
    }
    setBusy(false);
  }

  return (
    <>
      {programs === null && fault === null && <Loading label={t('common.loading')} />}
      {programs?.length === 0 && <p className={shapes.quiet}>{t('programs.noneHere')}</p>}
      {programs !== null && programs.length > 0 && (
        <ul className={shapes.stackS5} aria-label={t('people.programs.title')}>
          {programs.map((program) => (
            <li key={program.id} className={`${shapes.rowS4} ${styles.keyRow}`}>
              <AppWindow size={18} aria-hidden="true" />
              <span className={`${shapes.breaks} ${shapes.fill} ${shapes.medium}`}>
                {t('keys.of', { key: program.name, person: nameOf(store.get('profiles', program.user_id)) })}
                <span className={`${shapes.quietS} ${shapes.block} ${shapes.plain}`}>{factsOf(program)}</span>
              </span>
              <Button
                disabled={busy}
                aria-label={t('keys.removeOf', { name: program.name })}
                onClick={() => setAsking(program)}
              >
                {t('keys.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {asking !== null && (
        <EndQuestion
          title={t('keys.removeOf', { name: asking.name })}
          words={t('keys.removeWords')}
          action={t('keys.remove')}
          onConfirm={() => void remove(asking.id)}
          onClose={() => setAsking(null)}
        />
      )}
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
    </>
  );
}

function factsOf({ scope, granted_at, last_used_at: used, expires_at: end }: ProgramOfProject): string {
  return [
    t(`keys.scopes.${scope}`),
    t('programs.since', { when: sayAgo(granted_at) }),
    used === null ? t('keys.unused') : t('keys.used', { when: sayAgo(used) }),
    ...(end === null ? [] : [t('programs.ends', { day: sayDay(localDay(new Date(end))) })]),
  ].join(' · ');
}
