// Field of an invitation: addresses as text, and people of one's other projects, whose names are offered as one types. The chosen ones stand
// above it; nobody's address is shown.

import { X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { everybody, membersOf, type Person, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { TextArea } from '../../ui/fields/field.tsx';
import { type OfferKeys, OfferList } from '../../ui/fields/offer-list.tsx';
import styles from './people.module.css';

interface ColleagueFieldProps {
  readonly projectId: string;
  readonly typed: string;
  readonly chosen: readonly Person[];
  readonly hint: string;
  readonly error: string | null;
  readonly onType: (typed: string) => void;
  readonly onChoose: (chosen: readonly Person[]) => void;
}

/** More than this is left to typing more. */
const mostOffered = 6;

/** Where the part begins that is being typed: after the last separator. */
const startOfPart = (typed: string): number => Math.max(...[',', ';', '\n'].map((sign) => typed.lastIndexOf(sign))) + 1;

export function ColleagueField({ projectId, typed, chosen, hint, error, onType, onChoose }: ColleagueFieldProps) {
  const listId = useId();
  const keys: OfferKeys = useRef(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [active, setActive] = useState<string | null>(null);
  const [closedFor, setClosedFor] = useState('');
  const members = useQuery(membersOf, projectId);
  const colleagues = useQuery(everybody, '').filter(
    ({ userId }) => ![...members, ...chosen].some((one) => one.userId === userId),
  );
  const needle = typed.slice(startOfPart(typed)).trim().toLocaleLowerCase();
  const found =
    needle === '' || typed === closedFor
      ? []
      : colleagues.filter(({ name }) => name.toLocaleLowerCase().includes(needle)).slice(0, mostOffered);
  const items = found.map((person) => ({
    id: person.userId,
    name: person.name,
    icon: <Face person={person} />,
    pick: () => {
      onChoose([...chosen, person]);
      onType(typed.slice(0, startOfPart(typed)));
      field.current?.focus();
    },
  }));
  function press(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (!event.nativeEvent.isComposing && keys.current?.(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
    else if (event.key === 'Backspace' && typed === '' && chosen.length > 0) onChoose(chosen.slice(0, -1));
  }
  return (
    <div className={shapes.stackS3}>
      {chosen.length > 0 && (
        <ul className={shapes.wrapS3} aria-label={t('people.invite.chosen')}>
          {chosen.map((person) => (
            <li key={person.userId} className={`${shapes.inlineS2} ${styles.chosen}`}>
              <Face person={person} />
              <span className={shapes.words}>{person.name}</span>
              <button
                type="button"
                aria-label={t('settings.removeMember', { name: person.name })}
                title={t('settings.removeMember', { name: person.name })}
                onClick={() => {
                  onChoose(chosen.filter((one) => one !== person));
                  field.current?.focus();
                }}
              >
                <X size={12} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <TextArea
        ref={field}
        label={colleagues.length + chosen.length > 0 ? t('people.invite.emailsOrNames') : t('people.invite.emails')}
        hint={hint}
        placeholder={t('signIn.emailPlaceholder')}
        autoFocus
        autoComplete="off"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        rows={2}
        aria-autocomplete="list"
        aria-controls={items.length > 0 ? listId : undefined}
        aria-activedescendant={active ?? undefined}
        value={typed}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={press}
        error={error}
      />
      <OfferList
        id={listId}
        label={t('people.invite.colleagues')}
        items={items}
        className={styles.colleagues}
        ready
        keys={keys}
        onActive={setActive}
        onClose={() => setClosedFor(typed)}
      />
    </div>
  );
}

function Face({ person: { name, avatarUrl, userId } }: { person: Person }) {
  return (
    // The name stands beside it.
    <span className={shapes.inlineS2} aria-hidden="true">
      <Avatar name={name} url={avatarUrl} seed={userId} size={20} />
    </span>
  );
}
