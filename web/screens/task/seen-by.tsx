// People who see a restricted task, each named or taken out by a press. Of a task under it, a text alone.

import { UsersRound } from 'lucide-react';
import { nameForTask, shareTaskWithGroup, useAct } from '../../commands.ts';
import { pickerItem } from '../../pieces/choice-mark.tsx';
import styles from '../../pieces/properties/properties.module.css';
import { RestrictedMark } from '../../pieces/restricted-mark.tsx';
import { choicesOf } from '../../properties/values.ts';
import { roleIn, seersOf, type TaskRow, useQuery, useUserId } from '../../queries.ts';
import { localized, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Picker } from '../../ui/fields/picker.tsx';

const lists = localized((locale) => new Intl.ListFormat(locale));

interface SeenByProps {
  readonly task: TaskRow;
  readonly audienceId: string;
  readonly canWrite: boolean;
}

export function SeenBy({ task, audienceId, canWrite }: SeenByProps) {
  const act = useAct();
  const seers = useQuery(seersOf, audienceId);
  const owner = useQuery(roleIn, task.project_id, useUserId()) === 'owner';
  const members = useQuery(choicesOf, 'assignee', task.project_id).filter(({ guest }) => guest === undefined);
  const value = lists().format([...seers.map(({ name }) => name), t('task.owners')]);
  const face = (
    <>
      <RestrictedMark />
      <span className={styles.propWords}>{value}</span>
    </>
  );
  if (!canWrite || audienceId !== task.id)
    return <span className={`${shapes.inlineS2} ${styles.propValue}`}>{face}</span>;
  const named = new Set(seers.filter(({ isNamed }) => isNamed).map(({ id }) => id));
  // Owners alone name groups, in the dialog that shares the task.
  const groups = new Set(owner ? seers.filter(({ isGroup }) => isGroup).map(({ id }) => id) : []);
  return (
    <Picker
      several
      label={t('task.seenBy')}
      items={[
        ...members.map((member) => pickerItem(member, named.has(member.id))),
        ...seers
          .filter(({ id }) => groups.has(id))
          .map(({ id, name }) => ({ id, label: name, icon: <UsersRound size={16} />, chosen: named.has(id) })),
      ]}
      onPick={(id) =>
        void (groups.has(id)
          ? act(shareTaskWithGroup, audienceId, id, named.has(id) ? null : 'see')
          : act(nameForTask, audienceId, id, !named.has(id)))
      }
      trigger={
        <button
          type="button"
          className={`${styles.propValue} ${styles.propButton}`}
          aria-label={t('common.pair', { name: t('task.seenBy'), value })}
        >
          {face}
        </button>
      }
    />
  );
}
