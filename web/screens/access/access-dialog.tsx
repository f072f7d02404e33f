// People who can see a project, a task or a file, what each may do, and the rules that give it; below them, invitations and the link that others can
// still join by.

import { Link2, Mail } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import {
  type ExplainedAccess,
  type NameOf,
  useExplainedAccess,
  useNamesOfGivers,
} from '../../queries/people/access.ts';
import { audienceOf } from '../../queries/tasks/audience.ts';
import { plain, projectOf, type Reader, taskKey, useQuery, useUserId } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import lines from '../../ui/lines.module.css';
import { EmptyState, Loading, Notice, Skeleton } from '../../ui/list-states.tsx';
import { ShowAll } from '../../ui/lists/show-all.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import styles from './access.module.css';
import { AccessFacts } from './access-facts.tsx';
import { AccessLine } from './access-line.tsx';
import { sayReason } from './say-reason.ts';

/** As many as fit are looked through without searching. */
const fewPeople = 10;
const shownFirst = 50;

interface AccessDialogProps {
  /** Id of a project, a task or an attachment of this project. */
  readonly object: string;
  readonly projectId: string;
  readonly onClosed: () => void;
}

const restrictedHint = {
  read(store: Reader, object: string): string | null {
    const task = store.get('tasks', store.get('task_attachments', object)?.task_id ?? object);
    if (task === undefined || audienceOf(task) === null) return null;
    return t('reach.hintRestricted', { task: taskKey(store.get('projects', task.project_id), task) });
  },
} as const;

export default function AccessDialog({ object, projectId, onClosed }: AccessDialogProps) {
  const [open, setOpen] = useState(true);
  const { data, failed, again } = useExplainedAccess(object);
  const project = useQuery(projectOf, projectId);
  const restricted = useQuery(restrictedHint, object);
  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      onClosed={onClosed}
      title={t('common.canSee')}
      description={restricted ?? t('reach.hint', { project: project?.name ?? '' })}
    >
      {failed && data === null && (
        <EmptyState title={t('common.failed.title')} action={<Button onClick={again}>{t('common.retry')}</Button>}>
          <p>{t('common.failed.words')}</p>
        </EmptyState>
      )}
      {failed && data !== null && <Notice>{t('common.stale')}</Notice>}
      {data === null && !failed && (
        <Loading label={t('common.loading')}>
          <div className={shapes.stackS4}>
            {[1, 2, 3].map((one) => (
              <Skeleton key={one} height="3rem" />
            ))}
          </div>
        </Loading>
      )}
      {data !== null && <Explained rows={data} />}
    </Dialog>
  );
}

function Explained({ rows }: { rows: readonly ExplainedAccess[] }) {
  const [words, setWords] = useState('');
  const nameOf = useNamesOfGivers(rows);
  const people = rows.filter(({ person_id }) => person_id !== null);
  const open = rows.filter(({ person_id }) => person_id === null);
  const found = people.filter(({ display_name }) => plain(display_name ?? '').includes(plain(words.trim())));
  return (
    <>
      {people.length > fewPeople && (
        <TextField
          label={t('reach.search')}
          bare
          type="search"
          placeholder={t('reach.search')}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      {found.length === 0 && (
        <p className={shapes.quiet} role="status">
          {t('common.nothingFound')}
        </p>
      )}
      <PeopleList people={found} nameOf={nameOf} />
      {open.length > 0 && (
        <section className={shapes.stackS3} aria-label={t('reach.open')}>
          <h3>{t('reach.open')}</h3>
          <ul className={styles.lines}>
            {open.map((row) => (
              <OpenLine key={row.display_name} row={row} nameOf={nameOf} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function PeopleList({ people, nameOf }: { people: readonly ExplainedAccess[]; nameOf: NameOf }) {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const shown = all ? people : people.slice(0, shownFirst);
  return (
    <>
      <ul className={styles.lines} ref={list} tabIndex={-1} aria-label={t('common.canSee')}>
        {shown.map((row) => (
          <PersonLine key={row.person_id} row={row} nameOf={nameOf} />
        ))}
      </ul>
      {shown.length < people.length && (
        <ShowAll list={list} onShow={() => setAll(true)}>
          {t('common.showAll', { n: people.length })}
        </ShowAll>
      )}
    </>
  );
}

function PersonLine({ row, nameOf }: { row: ExplainedAccess; nameOf: NameOf }) {
  const userId = row.person_id ?? '';
  const name = row.display_name?.trim() || t('common.someone');
  const me = useUserId() === userId;
  return (
    <AccessLine
      face={<Avatar name={name} url={row.avatar_url} seed={userId} size={32} />}
      name={
        <>
          <Link href={paths.person(userId)} className={styles.name}>
            {name}
          </Link>
          {me && <span className={shapes.quiet}> ({t('common.you').toLocaleLowerCase()})</span>}
        </>
      }
      role={row.role}
    >
      <AccessFacts rights={row} reasons={row.reasons} nameOf={nameOf} />
    </AccessLine>
  );
}

function OpenLine({ row, nameOf }: { row: ExplainedAccess; nameOf: NameOf }) {
  const link = row.display_name === null;
  const Icon = link ? Link2 : Mail;
  return (
    <AccessLine
      face={
        <span className={`${shapes.middle} ${lines.sign}`} aria-hidden="true">
          <Icon size={16} />
        </span>
      }
      name={<strong className={shapes.medium}>{row.display_name ?? t('reach.link')}</strong>}
      role={row.role}
    >
      {row.reasons.map((reason) => (
        <span key={reason.rule} className={shapes.quietS}>
          {sayReason(reason, nameOf, false)}
        </span>
      ))}
    </AccessLine>
  );
}
