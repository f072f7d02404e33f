// Page of a group: its name, its people, the projects it is in, leaving and deleting. Those from a provider are only read.

import { UsersRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useParams } from 'wouter';
import { editGroup, Refusal, useAct } from '../../commands.ts';
import { NotFound } from '../../pieces/not-found.tsx';
import { type GroupPage, groupOf, useGroupPage, useQuery } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { useDraft } from '../../ui/fields/draft.ts';
import { TextArea, TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import lines from '../../ui/lines.module.css';
import { EmptyState, Loading, Notice, Skeleton } from '../../ui/list-states.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import pageStyles from '../../ui/page.module.css';
import { usePageTitle } from '../../ui/page-title.ts';
import { Section } from '../../ui/section.tsx';
import { GroupEnd } from './group-end.tsx';
import { GroupPeople } from './group-people.tsx';
import styles from './groups.module.css';

export default function Group() {
  const { groupId = '' } = useParams<{ groupId: string }>();
  const { data, failed, again } = useGroupPage(groupId);
  const group = useQuery(groupOf, groupId);
  if (failed instanceof Refusal && [400, 404].includes(failed.status)) return <NotFound />;
  if (data !== null && group !== null)
    return (
      <Known key={groupId} page={data} name={group.name} description={group.description} stale={failed !== null} />
    );
  return (
    <div className={pageStyles.page}>
      {failed ? (
        <EmptyState title={t('common.failed.title')} action={<Button onClick={again}>{t('common.retry')}</Button>}>
          <p>{t('common.failed.words')}</p>
        </EmptyState>
      ) : (
        <Loading whole label={t('common.loading')}>
          <div className={shapes.stackS5}>
            {[30, 70, 55, 70].map((width) => (
              <Skeleton key={width} width={`${width}%`} />
            ))}
          </div>
        </Loading>
      )}
    </div>
  );
}

interface KnownProps {
  readonly page: GroupPage;
  readonly name: string;
  readonly description: string;
  readonly stale: boolean;
}

function Known({ page, name, description, stale }: KnownProps) {
  usePageTitle(name);
  return (
    <div className={pageStyles.page}>
      <header className={`${shapes.rowS4} ${styles.head}`}>
        <span className={`${shapes.middle} ${lines.sign}`} aria-hidden="true">
          <UsersRound size={20} />
        </span>
        <div className={shapes.slim}>
          <h1>{name}</h1>
          {!page.manages && description !== '' && <p className={`${shapes.soft} ${shapes.breaks}`}>{description}</p>}
        </div>
      </header>
      {stale && <Notice>{t('common.stale')}</Notice>}
      {page.source !== 'hand' && <Notice>{t('groups.providedWords')}</Notice>}
      {page.manages && <Names groupId={page.id} name={name} description={description} />}
      <GroupPeople page={page} />
      <Projects projects={page.projects} />
      <GroupEnd page={page} name={name} />
    </div>
  );
}

function Names({
  groupId,
  name: stored,
  description: storedWords,
}: {
  groupId: string;
  name: string;
  description: string;
}) {
  const act = useAct();
  const name = useDraft(stored);
  const description = useDraft(storedWords);
  const [fault, setFault] = useState<string | null>(null);

  function save(event: FormEvent): void {
    event.preventDefault();
    const wanted = name.text.trim();
    setFault(wanted === '' ? t('groups.nameMissing') : null);
    if (wanted === '') return;
    void act(editGroup, groupId, { name: wanted, description: description.text.trim() }).then((accepted) => {
      if (accepted) showMessage(t('common.saved'), 2000);
      // Refused words are not lost.
      else for (const draft of [name, description]) draft.set(draft.text);
    });
    for (const draft of [name, description]) draft.settle();
  }

  return (
    <Section title={t('settings.sections.general')}>
      <form className={shapes.stackS5} onSubmit={save} noValidate>
        <TextField
          label={t('common.name')}
          {...limitTo(100)}
          autoComplete="off"
          value={name.text}
          onChange={(event) => name.set(event.target.value)}
          error={fault}
        />
        <TextArea
          label={t('property.description')}
          {...limitTo(2000)}
          rows={2}
          value={description.text}
          onChange={(event) => description.set(event.target.value)}
        />
        {(name.dirty || description.dirty) && (
          <div className={shapes.lineS3}>
            <Button look="main" type="submit">
              {t('common.save')}
            </Button>
            <Button onClick={() => [name, description].forEach((draft) => void draft.reset())}>
              {t('common.cancel')}
            </Button>
          </div>
        )}
      </form>
    </Section>
  );
}

function Projects({ projects }: Pick<GroupPage, 'projects'>) {
  return (
    <Section title={t('common.nav.projects')}>
      {projects.length === 0 && <p className={shapes.quietS}>{t('groups.noProjects')}</p>}
      {projects.length > 0 && (
        <ul className={styles.projects} aria-label={t('common.nav.projects')}>
          {projects.map((project) => (
            <li key={project.id} className={shapes.rowS3}>
              <RowLink
                href={paths.project(project.id, project.role === null ? undefined : 'people')}
                className={`${shapes.underlined} ${styles.name}`}
              >
                {project.name}
              </RowLink>
              <span className={shapes.quietS}>
                {project.role === null ? t('common.guest') : t(`common.roles.${project.role}`)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
