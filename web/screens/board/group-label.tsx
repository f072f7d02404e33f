// Head of a column or a lane: its name, and the sign before it.

import { isFieldProperty } from '../../../contract/field-properties.ts';
import type { Grouping } from '../../../contract/views.ts';
import marksStyles from '../../pieces/task-badges.module.css';
import { KindMark, PriorityMark } from '../../pieces/task-badges.tsx';
import { type BoardColumn, everybody, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { sayNone } from '../project/view-choices.ts';

export type GroupHead = BoardColumn['group'];

export function sayGroup({ name, priority }: GroupHead, grouping: Grouping | null): string {
  return priority ? t(`common.priorities.${priority}`) : name || sayNone(grouping);
}

export function GroupLabel({ group, grouping }: { group: GroupHead; grouping: Grouping | null }) {
  const { id, kind, color, priority } = group;
  if (kind) return <KindMark kind={kind} color={color ?? null} />;
  if (priority) return <PriorityMark priority={priority} />;
  if (id === '') return null;
  if (color !== undefined)
    return <span className={marksStyles.labelDot} style={{ background: color ?? 'var(--edge)' }} />;
  const ofPerson = grouping === 'assignee' || isFieldProperty(grouping);
  return ofPerson && <Face userId={id} name={group.name} />;
}

function Face({ userId, name }: { userId: string; name: string }) {
  const person = useQuery(everybody, '').find((one) => one.userId === userId);
  return <Avatar name={name} url={person?.avatarUrl ?? null} seed={userId} size={20} />;
}
