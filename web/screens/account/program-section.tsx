// Programs with access to the account: what each may do and where, until when, when it was last used; and its end.

import { AppWindow } from 'lucide-react';
import { useState } from 'react';
import { listPrograms, type Program, revokeProgram } from '../../commands.ts';
import { localDay, sayAgo, sayDay } from '../../queries/days/days.ts';
import { openProjects, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { FactRow } from '../../ui/fact-row.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Section } from '../../ui/section.tsx';
import { EndQuestion } from '../people/end-question.tsx';
import { useFetchedList } from '../people/use-fetched-list.ts';
import { levelsOf } from '../programs/scope-words.ts';

export function ProgramSection() {
  const { list: programs, fault, busy, run } = useFetchedList(listPrograms, undefined);
  const projects = useQuery(openProjects);
  const [asking, setAsking] = useState<Program | null>(null);
  return (
    <Section title={t('programs.title')} hint={t('programs.hint')}>
      {programs?.length === 0 && <p className={shapes.quietS}>{t('programs.none')}</p>}
      {programs !== null && programs.length > 0 && (
        <ul className={shapes.stackS5} aria-label={t('programs.title')}>
          {programs.map((program) => (
            <FactRow key={program.id} icon={AppWindow} name={program.name} facts={[factsOf(program, projects)]}>
              <Button
                disabled={busy}
                aria-label={t('programs.revokeOf', { name: program.name })}
                onClick={() => setAsking(program)}
              >
                {t('programs.revoke')}
              </Button>
            </FactRow>
          ))}
        </ul>
      )}
      {asking !== null && (
        <EndQuestion
          title={t('programs.revokeOf', { name: asking.name })}
          words={t('programs.revokeWords')}
          action={t('programs.revoke')}
          onConfirm={() => void run((ask) => ask(revokeProgram, asking.id))}
          onClose={() => setAsking(null)}
        />
      )}
      {fault !== null && <Notice tone="danger">{t('programs.failed')}</Notice>}
    </Section>
  );
}

function factsOf(program: Program, projects: readonly { readonly id: string; readonly name: string }[]): string {
  const names = projects.filter(({ id }) => program.projectIds?.includes(id)).map(({ name }) => name);
  const level = levelsOf(program.scopes).at(-1) ?? 'none';
  return [
    t(`programs.levels.${level}`),
    ...(level === 'none' ? [] : [program.projectIds === null ? t('programs.consent.all') : names.join(', ')]),
    t('programs.since', { when: sayAgo(program.grantedAt) }),
    ...(program.lastUsedAt === null ? [] : [t('programs.used', { when: sayAgo(program.lastUsedAt) })]),
    ...(program.expiresAt === null ? [] : [t('programs.ends', { day: sayDay(localDay(new Date(program.expiresAt))) })]),
  ].join(' · ');
}
