// Field of an invitation: addresses as text, and people of one's other projects and groups, whose names are offered as one types. The chosen
// ones stand above it; nobody's address is shown.

import { UsersRound, X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import {
  everybody,
  groupsIn,
  membersOf,
  type Person,
  useGroupsOfProject,
  useMyGroups,
  useQuery,
  useUserId,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { TextArea } from '../../ui/fields/field.tsx';
import { type Offer, type OfferKeys, OfferList } from '../../ui/fields/offer-list.tsx';
import styles from './people.module.css';

/** Somebody to add, or a group. */
export type Addition =
  | ({ readonly kind: 'person'; readonly id: string } & Pick<Person, 'name' | 'avatarUrl'>)
  | { readonly kind: 'group'; readonly id: string; readonly name: string; readonly people: number };

export interface Offered {
  readonly projectId: string;
  /** Also who is in the project: of a restricted task. */
  readonly withMembers?: boolean;
  /** Ids of people and groups who are let in already. */
  readonly taken?: readonly string[];
}

interface ColleagueFieldProps extends Offered {
  readonly typed: string;
  readonly chosen: readonly Addition[];
  readonly hint: string;
  readonly error: string | null;
  readonly onType: (typed: string) => void;
  readonly onChoose: (chosen: readonly Addition[]) => void;
}

/** More than this is left to typing more. */
const mostOffered = 6;

/** Where the part begins that is being typed: after the last separator. */
const startOfPart = (typed: string): number => Math.max(...[',', ';', '\n'].map((sign) => typed.lastIndexOf(sign))) + 1;

export function ColleagueField(props: ColleagueFieldProps) {
  const { projectId, withMembers = false, taken = [], typed, chosen, hint, error, onType, onChoose } = props;
  const listId = useId();
  const keys: OfferKeys = useRef(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [active, setActive] = useState<string | null>(null);
  const [closedFor, setClosedFor] = useState('');
  const groupsHere = useGroupsHere(projectId);
  const groups = withMembers ? [] : groupsHere;
  const addable = useAddable(projectId, withMembers).filter(
    ({ id }) => !taken.includes(id) && chosen.every((one) => one.id !== id),
  );
  const needle = typed.slice(startOfPart(typed)).trim().toLocaleLowerCase();
  const isFound = ({ name }: { name: string }): boolean =>
    needle !== '' && typed !== closedFor && name.toLocaleLowerCase().includes(needle);
  const items: Offer[] = [
    ...addable.filter(isFound).map((one) => ({
      id: one.id,
      name: one.name,
      icon: <Sign of={one} />,
      ...(one.kind === 'group' ? { note: t('groups.people', { n: one.people }) } : {}),
      pick: () => {
        onChoose([...chosen, one]);
        onType(typed.slice(0, startOfPart(typed)));
        field.current?.focus();
      },
    })),
    ...groups.filter(isFound).map(({ groupId, name, role }) => ({
      id: groupId,
      name,
      icon: <UsersRound size={16} />,
      note: t('people.invite.groupIn', { role }),
      disabled: true,
      pick: () => undefined,
    })),
  ].slice(0, mostOffered);
  function press(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (!event.nativeEvent.isComposing && keys.current?.(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
    else if (event.key === 'Backspace' && typed === '' && chosen.length > 0) onChoose(chosen.slice(0, -1));
  }
  return (
    <div className={`${shapes.stackS3} ${shapes.oneColumn}`}>
      {chosen.length > 0 && (
        <ul className={shapes.wrapS3} aria-label={t('people.invite.chosen')}>
          {chosen.map((one) => (
            <li
              key={one.id}
              className={`${shapes.inlineS2} ${shapes.bordered} ${shapes.round} ${shapes.sunken} ${shapes.within} ${styles.chosen}`}
            >
              <Sign of={one} />
              <span className={shapes.words}>{one.name}</span>
              <button
                type="button"
                aria-label={t('settings.removeMember', { name: one.name })}
                title={t('settings.removeMember', { name: one.name })}
                onClick={() => {
                  onChoose(chosen.filter((other) => other !== one));
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
        label={
          addable.length + chosen.length + groups.length > 0
            ? t('people.invite.emailsOrNames')
            : t('people.invite.emails')
        }
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

/** Colleagues and groups, people first; only those that are not in the project yet, unless members are offered too. */
function useAddable(projectId: string, withMembers: boolean): readonly Addition[] {
  const me = useUserId();
  const members = useQuery(membersOf, projectId);
  const here = useQuery(groupsIn, projectId);
  const { data } = useMyGroups();
  const people = useQuery(everybody, '').filter(({ userId }) =>
    withMembers ? userId !== me : members.every((one) => one.userId !== userId),
  );
  const groups = (data?.groups ?? []).filter(({ id }) => withMembers || here.every(({ groupId }) => groupId !== id));
  return [
    ...people.map(({ userId, name, avatarUrl }) => ({ kind: 'person' as const, id: userId, name, avatarUrl })),
    ...groups.map(({ id, name, people: n }) => ({ kind: 'group' as const, id, name, people: n })),
  ];
}

/** Groups that are in the project. */
function useGroupsHere(projectId: string) {
  useGroupsOfProject(projectId);
  return useQuery(groupsIn, projectId);
}

function Sign({ of }: { of: Addition }) {
  return (
    // The name stands beside it.
    <span className={shapes.inlineS2} aria-hidden="true">
      {of.kind === 'group' ? (
        <UsersRound size={16} />
      ) : (
        <Avatar name={of.name} url={of.avatarUrl} seed={of.id} size={20} />
      )}
    </span>
  );
}
