// Members of a project, each with where their role comes from; owners change roles and remove people.

import type { ComponentProps } from 'react';
import type { PersonFigures } from '../../queries/figures/person-figures.ts';
import { broughtBy, groupsIn, membersOf, useGroupsOfProject, useQuery } from '../../queries.ts';
import shapes from '../../styles/shapes.module.css';
import { useFirstOnes } from '../../ui/lists/show-all.tsx';
import { MemberLine } from './member-line.tsx';

interface MemberListProps extends ComponentProps<'ul'> {
  readonly projectId: string;
  readonly owner: boolean;
  readonly figures?: readonly PersonFigures[];
  /** So many before the others are asked for. */
  readonly most?: number;
}

export function MemberList({
  projectId,
  owner,
  figures = [],
  most = Number.POSITIVE_INFINITY,
  ...rest
}: MemberListProps) {
  const members = useQuery(membersOf, projectId);
  const groups = useQuery(groupsIn, projectId);
  const { data } = useGroupsOfProject(projectId);
  // Groups own nothing alone.
  const owners = members.filter(({ ownRole }) => ownRole === 'owner').length;
  const { shown, list, more } = useFirstOnes(members, most);
  return (
    <>
      <ul ref={list} tabIndex={-1} className={`${shapes.stackS2} ${shapes.oneColumn}`} {...rest}>
        {shown.map((member) => (
          <MemberLine
            key={member.userId}
            projectId={projectId}
            member={member}
            figures={figures.find(({ user_id }) => user_id === member.userId)}
            brought={broughtBy(groups, data, member.userId)}
            owner={owner}
            fixed={member.ownRole === 'owner' && owners === 1}
          />
        ))}
      </ul>
      {more}
    </>
  );
}
