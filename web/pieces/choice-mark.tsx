// Sign of a choice beside its name: a person's picture, ring of a column, sign of a priority, dot of a label or option.

import type { Choice } from '../properties/property.ts';
import { t } from '../strings/messages.ts';
import { Avatar } from '../ui/avatar.tsx';
import type { PickerItem } from '../ui/fields/picker.tsx';
import styles from './task-badges.module.css';
import { KindMark, PriorityMark } from './task-badges.tsx';

export function ChoiceMark({ of: { id, name, kind, color, priority, picture } }: { of: Choice }) {
  if (priority !== undefined) return <PriorityMark priority={priority} />;
  if (kind !== undefined) return <KindMark kind={kind} {...(color ? { color } : {})} />;
  if (picture !== undefined) return <Avatar name={name} url={picture} seed={id} size={20} />;
  if (color === undefined) return null;
  return <span className={styles.labelDot} style={{ background: color ?? 'var(--edge)' }} />;
}

export const pickerItem = (choice: Choice, chosen = false): PickerItem => ({
  id: choice.id,
  label: choice.name,
  icon: <ChoiceMark of={choice} />,
  ...(choice.guest ? { note: t('common.guest') } : choice.agent ? { note: t('common.agent') } : {}),
  chosen,
});
