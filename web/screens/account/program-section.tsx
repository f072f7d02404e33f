// Programs with access to the account: what each may do and where, until when, when it was last used; and its end.

import { AppWindow } from 'lucide-react';
import { useEffect, useState } from 'react';
import { listPrograms, type Program, revokeProgram } from '../../commands.ts';
import { localDay, sayAgo, sayDay } from '../../queries/days/days.ts';
import { openProjects, useQuery } from '../../queries.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Section } from '../../ui/section.tsx';
import { levelsOf } from '../programs/scope-words.ts';
import styles from './account.module.css';

export function ProgramSection() {
  const { door } = useApp();
  const [programs, setPrograms] = useState<readonly Program[] | null>(null);
  const [failed, setFailed] = useState(false);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    listPrograms(door).then(setPrograms, () => setFailed(true));
  }, [door]);

  async function revoke(id: string): Promise<void> {
    setBusy(true);
    setFailed(false);
    try {
      await revokeProgram(door, id);
      setPrograms(await listPrograms(door));
    } catch {
      setFailed(true);
    }
    setBusy(false);
  }

  return (
    <Section title={t('programs.title')} hint={t('programs.hint')}>
      {programs?.length === 0 && (
        <p className={`${shapes.quietS} ${shapes.block} ${shapes.plain}`}>{t('programs.none')}</p>
      )}
      {programs !== null && programs.length > 0 && (
        <ul className={`${shapes.stackS5} ${styles.sessionList}`} aria-label={t('programs.title')}>
          {programs.map((program) => (
            <li key={program.id} className={`${shapes.rowS4} ${styles.accountRow}`}>
              <AppWindow size={18} aria-hidden="true" />
              <span className={`${shapes.breaks} ${shapes.fill} ${shapes.medium} ${styles.accountRowWords}`}>
                {program.name}
                <Facts program={program} />
              </span>
              <Button
                disabled={busy}
                aria-label={t('programs.revokeOf', { name: program.name })}
                onClick={() => void revoke(program.id)}
              >
                {t('programs.revoke')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {failed && <Notice tone="danger">{t('programs.failed')}</Notice>}
    </Section>
  );
}

function Facts({ program }: { program: Program }) {
  const projects = useQuery(openProjects);
  const names = projects.filter(({ id }) => program.projectIds?.includes(id)).map(({ name }) => name);
  const level = levelsOf(program.scopes).at(-1) ?? 'none';
  const facts = [
    t(`programs.levels.${level}`),
    ...(level === 'none' ? [] : [program.projectIds === null ? t('programs.consent.all') : names.join(', ')]),
    t('programs.since', { when: sayAgo(program.grantedAt) }),
    ...(program.lastUsedAt === null ? [] : [t('programs.used', { when: sayAgo(program.lastUsedAt) })]),
    ...(program.expiresAt === null ? [] : [t('programs.ends', { day: sayDay(localDay(new Date(program.expiresAt))) })]),
  ];
  return <span className={`${shapes.quietS} ${shapes.block} ${shapes.plain}`}>{facts.join(' · ')}</span>;
}
