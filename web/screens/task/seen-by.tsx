// People who see a restricted task, each named or taken out by a press. Of a task under it, a text alone.

import { nameForTask, useAct } from '../../commands.ts';
import { pickerItem } from '../../pieces/choice-mark.tsx';
import styles from '../../pieces/properties/properties.module.css';
import { RestrictedMark } from '../../pieces/restricted-mark.tsx';
import { choicesOf } from '../../properties/values.ts';
import { seersOf } from '../../queries/tasks/audience.ts';
import { type TaskRow, useQuery } from '../../queries.ts';
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
  const named = new Set(seers.filter(({ isNamed }) => isNamed).map(({ userId }) => userId));
  return (
    <Picker
      several
      label={t('task.seenBy')}
      items={members.map((member) => pickerItem(member, named.has(member.id)))}
      onPick={(userId) => void act(nameForTask, audienceId, userId, !named.has(userId))}
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
