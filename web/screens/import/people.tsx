// People of an imported file: matched by address or name, chosen among members and colleagues, invited, or kept as a name in the description.

import { useState } from 'react';
import type { ImportChoices, ImportPreview } from '../../queries/projects/imports.ts';
import { everybody, membersOf, profileOf, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { type Choice, SelectField, TextField } from '../../ui/fields/field.tsx';
import styles from './import.module.css';

type PersonOfFile = ImportPreview['people'][number];

interface Props {
  readonly people: readonly PersonOfFile[];
  /** Colleagues are added under the same condition. */
  readonly mayInvite: boolean;
  readonly choices: ImportChoices;
  readonly choose: (more: Partial<ImportChoices>) => void;
}

const toInvite = 'invite';

export function People({ people, mayInvite, choices, choose }: Props) {
  const userId = useUserId();
  const me = useQuery(profileOf, userId);
  const members = useQuery(membersOf, choices.project ?? '');
  const everyone = useQuery(everybody, '');
  const here =
    choices.project === null
      ? [{ value: userId, label: me?.display_name ?? t('common.me') }]
      : members.map((member) => ({ value: member.userId, label: member.name }));
  const colleagues = mayInvite ? everyone.filter(({ userId: id }) => !here.some(({ value }) => value === id)) : [];
  const who = [
    ...here,
    ...colleagues.map((one) => ({ value: one.userId, label: t('import.joins', { name: one.name }) })),
  ];
  if (people.length === 0) return null;
  const say = (more: Readonly<Record<string, string>>): void => choose({ people: { ...choices.people, ...more } });
  const could = people.filter(({ userId: found, invited, address }) => !found && !invited && address !== null);
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-labelledby="import-people">
      <h2 id="import-people">{t('import.people')}</h2>
      <p className={`${shapes.softS} ${styles.note}`}>{t('import.peopleHint')}</p>
      {mayInvite && could.length > 0 && (
        <p className={`${shapes.wrapS3} ${styles.actions}`}>
          <Button onClick={() => say(Object.fromEntries(could.map(({ key, address }) => [key, address ?? ''])))}>
            {t('import.inviteAll', { n: could.length })}
          </Button>
        </p>
      )}
      <ul className={styles.rows}>
        {people.map((person) => (
          <OnePerson
            key={person.key}
            person={person}
            who={who}
            mayInvite={mayInvite}
            say={(chosen) => say({ [person.key]: chosen })}
          />
        ))}
      </ul>
    </section>
  );
}

interface OneProps {
  readonly person: PersonOfFile;
  readonly who: readonly Choice<string>[];
  readonly mayInvite: boolean;
  readonly say: (chosen: string) => void;
}

function OnePerson({ person: { name, address, userId, invited }, who, mayInvite, say }: OneProps) {
  // Files often have no addresses: it is asked for, then.
  const [asked, setAsked] = useState(false);
  const invite = { value: toInvite, label: address === null ? t('import.invite') : t('import.inviteTo', { address }) };
  return (
    <li className={`${shapes.rowS4} ${shapes.wraps} ${styles.column}`}>
      <span className={`${shapes.breaks} ${shapes.fill} ${styles.words}`}>
        <strong>{name}</strong>
        {address !== null && address !== name && <span className={`${shapes.softS} ${styles.note}`}>{address}</span>}
      </span>
      <span className={shapes.stackS3}>
        <SelectField
          bare
          label={t('import.is', { name })}
          value={userId ?? (invited !== null || asked ? toInvite : '')}
          choices={[{ value: '', label: t('import.asName') }, ...(mayInvite ? [invite] : []), ...who]}
          onPick={(chosen) => {
            setAsked(chosen === toInvite && address === null);
            say(chosen === toInvite ? (address ?? '') : chosen);
          }}
        />
        {asked && (
          <TextField
            type="email"
            label={t('import.addressOf', { name })}
            hint={t('import.addressHint')}
            defaultValue={invited ?? ''}
            maxLength={255}
            onBlur={(event) => {
              if (event.target.validity.valid) say(event.target.value.trim());
            }}
          />
        )}
      </span>
    </li>
  );
}
