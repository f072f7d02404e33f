// People of a group: who they are, who manages it, and for those who do adding and removing.

import { Trash2, UserPlus } from 'lucide-react';
import { addToGroup, removeFromGroup, setGroupManager, useAct } from '../../commands.ts';
import { everybody, type GroupPage, type GroupPerson, peopleOfGroup, useQuery, useUserId } from '../../queries.ts';
import { compareWords } from '../../strings/compare-words.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import { Picker } from '../../ui/fields/picker.tsx';
import lines from '../../ui/lines.module.css';
import { Section } from '../../ui/section.tsx';

export function GroupPeople({ page }: { page: GroupPage }) {
  const people = usePeople(page);
  const more = page.people - page.members.length;
  return (
    <Section title={t('groups.inIt')} hint={t('groups.peopleHint')}>
      {page.manages && <AddPeople groupId={page.id} people={people} />}
      {people.length > 0 && (
        <ul className={`${shapes.stackS2} ${shapes.oneColumn}`} aria-label={t('groups.inIt')}>
          {people.map((person) => (
            <Line key={person.userId} groupId={page.id} person={person} manages={page.manages} />
          ))}
        </ul>
      )}
      {more > 0 && <p className={shapes.quietS}>{t('common.andMore', { n: more })}</p>}
    </Section>
  );
}

/** By name; the server tells names also of those one shares no project with. */
function usePeople({ id, members }: GroupPage): GroupPerson[] {
  const named = new Map(members.map((member) => [member.user_id, member]));
  return useQuery(peopleOfGroup, id)
    .map((person) => {
      const known = named.get(person.userId);
      if (known === undefined) return person;
      return { ...person, name: known.display_name?.trim() || t('common.someone'), avatarUrl: known.avatar_url };
    })
    .sort((one, other) => compareWords(one.name, other.name));
}

function AddPeople({ groupId, people }: { groupId: string; people: readonly GroupPerson[] }) {
  const act = useAct();
  const me = useUserId();
  const colleagues = useQuery(everybody, '').filter(
    ({ userId }) => userId !== me && people.every((one) => one.userId !== userId),
  );
  return (
    <div>
      <Picker
        trigger={<Button icon={<UserPlus size={16} />}>{t('groups.addPeople')}</Button>}
        label={t('groups.addPeople')}
        placeholder={t('groups.search')}
        empty={colleagues.length === 0 ? t('groups.allIn') : t('common.nothingFound')}
        items={colleagues.map(({ userId, name, avatarUrl }) => ({
          id: userId,
          label: name,
          icon: <Avatar name={name} url={avatarUrl} seed={userId} size={20} />,
        }))}
        onPick={(userId) => void act(addToGroup, groupId, [userId])}
      />
    </div>
  );
}

function Line({ groupId, person, manages }: { groupId: string; person: GroupPerson; manages: boolean }) {
  const act = useAct();
  const { userId, name, avatarUrl, isManager } = person;
  const me = userId === useUserId();
  return (
    <li className={`${shapes.row} ${lines.line}`}>
      <Avatar name={name} url={avatarUrl} seed={userId} size={32} />
      <span className={`${shapes.breaks} ${lines.words}`}>
        {name}
        {me && <span className={shapes.quiet}> ({t('common.you').toLocaleLowerCase()})</span>}
      </span>
      {manages ? (
        <span className={lines.role}>
          <SelectField
            label={t('settings.role', { name })}
            bare
            value={isManager ? 'manager' : 'member'}
            disabled={me}
            title={me ? t('groups.ownManager') : undefined}
            choices={[
              { value: 'member', label: t('groups.member') },
              { value: 'manager', label: t('groups.manager') },
            ]}
            onPick={(picked) => void act(setGroupManager, groupId, userId, picked === 'manager', name)}
          />
        </span>
      ) : (
        <span className={shapes.quiet}>{isManager ? t('groups.manager') : t('groups.member')}</span>
      )}
      {manages && !me && (
        <IconButton
          label={t('settings.removeMember', { name })}
          onClick={() => void act(removeFromGroup, groupId, userId, name)}
        >
          <Trash2 size={15} />
        </IconButton>
      )}
    </li>
  );
}
