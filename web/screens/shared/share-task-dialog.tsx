// Sharing of a task: people outside the project by name or address, whom it is shared with and what they may, and its public links.

import { ChevronDown } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type Invited, inviteGuests, shareTask, useAct, useAsk } from '../../commands.ts';
import {
  type GrantLevel,
  type Guest,
  guestsOn,
  invitationsTo,
  rightsOn,
  type TaskRow,
  useQuery,
  useUserId,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import lines from '../../ui/lines.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { type Addition, ColleagueField } from '../people/colleague-field.tsx';
import { levelChoices } from '../people/guest-levels.ts';
import { InvitationLine } from '../people/invitation-list.tsx';
import { isMember, Results } from '../people/invite-form.tsx';
import { readAddresses } from '../people/read-addresses.ts';
import styles from './share-dialog.module.css';
import { PublicLinks } from './share-dialog.tsx';

export default function ShareTaskDialog({ task, onClose }: { task: TaskRow; onClose: () => void }) {
  const { writes } = useQuery(rightsOn, task.id, useUserId());
  const [links, setLinks] = useState(false);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('people.guests.share', { name: task.title })}
      description={t('people.guests.hint')}
    >
      <div className={shapes.stackS5}>
        {writes && <ShareForm task={task} />}
        <SharedWith task={task} />
        <section className={shapes.stackS3} aria-label={t('people.guests.link')}>
          <button
            type="button"
            className={`${shapes.rowS2} ${shapes.pressInk} ${styles.fold}`}
            aria-expanded={links}
            onClick={() => setLinks(!links)}
          >
            <h3>{t('people.guests.link')}</h3>
            <ChevronDown size={14} aria-hidden="true" />
          </button>
          {links && (
            <>
              <p className={shapes.quietS}>{t('shared.links.task')}</p>
              <PublicLinks projectId={task.project_id} taskId={task.id} name={task.title} />
            </>
          )}
        </section>
      </div>
    </Dialog>
  );
}

function ShareForm({ task }: { task: TaskRow }) {
  const act = useAct();
  const ask = useAsk();
  const guests = useQuery(guestsOn, task.id);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<readonly Addition[]>([]);
  const [level, setLevel] = useState<GrantLevel>('comment');
  const [fault, setFault] = useState<string | null>(null);
  const [results, setResults] = useState<readonly Invited[]>([]);
  const [busy, setBusy] = useState(false);
  const { good } = readAddresses(typed);

  async function share(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const read = readAddresses(typed);
    if (read.wrong.length > 0) return setFault(t('people.invite.wrong', { what: read.wrong.join(', ') }));
    if (read.good.length + chosen.length === 0) return setFault(t('people.invite.missing'));
    setFault(null);
    for (const { id } of chosen) void act(shareTask, task.id, id, level);
    setChosen([]);
    setBusy(true);
    const made = await ask(inviteGuests, { projectId: task.project_id, taskId: task.id }, read.good, level);
    setBusy(false);
    setResults(made);
    setTyped(
      made
        .filter((one) => one.link === null && !isMember(one))
        .map(({ email }) => email)
        .join('\n'),
    );
  }

  return (
    <form className={shapes.stackS4} onSubmit={(event) => void share(event)} noValidate>
      {results.length > 0 && <Results results={results} />}
      <ColleagueField
        projectId={task.project_id}
        guests={guests}
        typed={typed}
        chosen={chosen}
        hint={good.length > 0 ? t('people.invite.count', { n: good.length }) : t('people.invite.emailsHint')}
        error={fault}
        onType={(next) => {
          setTyped(next);
          setFault(null);
        }}
        onChoose={setChosen}
      />
      <div className={`${shapes.rowS3} ${styles.shareLine}`}>
        <SelectField label={t('people.guests.level')} value={level} choices={levelChoices()} onPick={setLevel} />
        <Button look="main" type="submit" busy={busy}>
          {t('people.guests.send', { n: Math.max(good.length + chosen.length, 1) })}
        </Button>
      </div>
    </form>
  );
}

function SharedWith({ task }: { task: TaskRow }) {
  const guests = useQuery(guestsOn, task.id);
  const invitations = useQuery(invitationsTo, task.project_id, task.id);
  if (guests.length + invitations.length === 0) return null;
  return (
    <section aria-label={t('people.guests.title')}>
      <h3>{t('people.guests.title')}</h3>
      <ul className={`${shapes.stackS2} ${lines.rows}`}>
        {guests.map((guest) => (
          <GuestLine key={guest.userId} task={task} guest={guest} />
        ))}
        {invitations.map((invitation) => (
          <InvitationLine key={invitation.id} invitation={invitation} short />
        ))}
      </ul>
    </section>
  );
}

function GuestLine({ task, guest }: { task: TaskRow; guest: Guest }) {
  const act = useAct();
  const { name, userId, level, isNamed } = guest;
  // Who sees it by a task above is removed there.
  const remove = isNamed ? [{ value: 'remove' as const, label: t('people.guests.remove') }] : [];
  return (
    <li className={`${shapes.row} ${lines.line}`}>
      <Avatar name={name} url={guest.avatarUrl} seed={userId} size={32} />
      <span className={`${shapes.breaks} ${lines.words}`}>
        <strong>{name}</strong>
        {!isNamed && <span className={`${shapes.quietS} ${lines.facts}`}>{t('people.guests.through')}</span>}
      </span>
      <span className={lines.role}>
        <SelectField<GrantLevel | 'remove'>
          label={t('people.guests.levelOf', { name })}
          bare
          value={level}
          choices={[...levelChoices(), ...remove]}
          onPick={(picked) => void act(shareTask, task.id, userId, picked === 'remove' ? null : picked)}
        />
      </span>
    </li>
  );
}
