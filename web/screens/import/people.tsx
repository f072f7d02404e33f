// Who of the file is who here: found by their address or name, chosen by hand, or kept as a name in the description.

import type { ImportChoices, ImportPreview } from '../../queries/imports.ts';
import { membersOf, profileOf, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { SelectField } from '../../ui/field.tsx';
import styles from './import.module.css';

interface Props {
  readonly people: ImportPreview['people'];
  readonly choices: ImportChoices;
  readonly choose: (more: Partial<ImportChoices>) => void;
}

export function People({ people, choices, choose }: Props) {
  const userId = useUserId();
  const me = useQuery(profileOf, userId);
  const members = useQuery(membersOf, choices.project ?? '');
  const who =
    choices.project === null
      ? [{ value: userId, label: me?.display_name ?? t('import.me') }]
      : members.map((member) => ({ value: member.userId, label: member.name }));
  if (people.length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="import-people">
      <h2 id="import-people">{t('import.people')}</h2>
      <p className={styles.note}>{t('import.peopleHint')}</p>
      <ul className={styles.rows}>
        {people.map(({ key, name, address, userId: found }) => (
          <li key={key} className={styles.column}>
            <span className={styles.words}>
              <strong>{name}</strong>
              {address !== null && address !== name && <span className={styles.note}>{address}</span>}
            </span>
            <SelectField
              bare
              label={t('import.is', { name })}
              value={found ?? ''}
              choices={[{ value: '', label: t('import.asName') }, ...who]}
              onPick={(chosen) => choose({ people: { ...choices.people, [key]: chosen } })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
