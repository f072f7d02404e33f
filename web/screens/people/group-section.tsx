// Groups that are members of a project: their roles, and for owners adding and removing them. Nothing is shown where there are none to add.

import { Plus, Trash2, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { addToProject, removeGroupFromProject, setRoleOfGroup, useAct } from '../../commands.ts';
import { type BroughtGroup, type MyGroups, type Role, useGroupsOfProject, useMyGroups } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import lines from '../../ui/lines.module.css';
import styles from './people.module.css';
import cardStyles from './person-card.module.css';
import { roleChoices } from './role-choices.ts';

interface GroupSectionProps {
  readonly projectId: string;
  readonly groups: readonly BroughtGroup[];
}

export function GroupSection({ owner, ...rest }: GroupSectionProps & { owner: boolean }) {
  if (owner) return <GroupsOfOwner {...rest} />;
  return rest.groups.length === 0 ? null : <Groups {...rest} owner={false} addable={[]} />;
}

/** Only owners need to know which others there are. */
function GroupsOfOwner(props: GroupSectionProps) {
  const { data } = useMyGroups();
  const addable = data?.groups.filter(({ id }) => props.groups.every(({ groupId }) => groupId !== id)) ?? [];
  return props.groups.length + addable.length === 0 ? null : <Groups {...props} owner addable={addable} />;
}

type Addable = MyGroups['groups'];

function Groups({ projectId, groups, owner, addable }: GroupSectionProps & { owner: boolean; addable: Addable }) {
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-label={t('common.nav.groups')}>
      <h2>{t('common.nav.groups')}</h2>
      <ul className={`${shapes.stackS2} ${shapes.oneColumn}`} aria-label={t('common.nav.groups')}>
        {groups.map((group) => (
          <GroupLine key={group.groupId} projectId={projectId} group={group} owner={owner} />
        ))}
      </ul>
      {addable.length > 0 && <AddGroup projectId={projectId} addable={addable} />}
    </section>
  );
}

interface GroupLineProps {
  readonly projectId: string;
  readonly group: BroughtGroup;
  readonly owner: boolean;
}

export function GroupLine({ projectId, group: { groupId, name, role }, owner }: GroupLineProps) {
  const act = useAct();
  const people = useGroupsOfProject(projectId).data?.find(({ group_id }) => group_id === groupId)?.people;
  return (
    <li className={`${shapes.row} ${lines.line}`}>
      <span className={`${shapes.middle} ${lines.sign}`} aria-hidden="true">
        <UsersRound size={16} />
      </span>
      <span className={`${shapes.breaks} ${lines.words}`}>
        <Link href={paths.group(groupId)} className={cardStyles.personLink}>
          {name}
        </Link>
        {people !== undefined && (
          <span className={`${shapes.quietS} ${lines.facts}`}>
            <span>{t('groups.people', { n: people })}</span>
          </span>
        )}
      </span>
      {owner ? (
        <span className={lines.role}>
          <SelectField
            label={t('settings.role', { name })}
            bare
            value={role}
            title={t(`common.roleMeaning.${role}`)}
            choices={roleChoices()}
            onPick={(picked) => void act(setRoleOfGroup, projectId, groupId, picked)}
          />
        </span>
      ) : (
        <span className={shapes.quiet}>{t(`common.roles.${role}`)}</span>
      )}
      {owner && (
        <IconButton
          label={t('settings.removeMember', { name })}
          onClick={() => void act(removeGroupFromProject, projectId, groupId)}
        >
          <Trash2 size={15} />
        </IconButton>
      )}
    </li>
  );
}

function AddGroup({ projectId, addable }: { projectId: string; addable: Addable }) {
  const act = useAct();
  const [picked, setPicked] = useState('');
  const groupId = (addable.find(({ id }) => id === picked) ?? addable[0])?.id ?? '';
  const [role, setRole] = useState<Role>('editor');
  return (
    <form
      className={`${shapes.stackS3} ${styles.newLink} ${styles.addGroup}`}
      aria-label={t('groups.add')}
      onSubmit={(event) => {
        event.preventDefault();
        void act(addToProject, projectId, { groupIds: [groupId] }, role);
      }}
    >
      <SelectField
        label={t('groups.group')}
        value={groupId}
        choices={addable.map(({ id, name }) => ({ value: id, label: name }))}
        onPick={setPicked}
      />
      <SelectField label={t('people.invite.role')} value={role} choices={roleChoices()} onPick={setRole} />
      <Button type="submit" icon={<Plus size={16} />}>
        {t('groups.add')}
      </Button>
    </form>
  );
}
