// Look of people: their pictures, and one person with the name beside it.

import { choiceOf, choicesOf } from '../../properties/values.ts';
import { useQuery } from '../../queries.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import type { Look, ValueProps } from './look.ts';
import { PickOne } from './options.tsx';
import { pickedWith } from './picked.tsx';
import styles from './properties.module.css';

function Picture({ of, projectId, value }: ValueProps<string>) {
  const { name, picture = null } = useQuery(choiceOf, of, projectId, value);
  return <Avatar name={name} url={picture} seed={value} size={20} />;
}

/** Nobody who is no longer a member of the project. */
function Member({ of, projectId, value }: ValueProps<string>) {
  const member = useQuery(choicesOf, of, projectId).find(({ id }) => id === value);
  if (member === undefined) return null;
  return (
    <span className={`${shapes.inlineS3} ${shapes.slim} ${shapes.within}`}>
      <Avatar name={member.name} url={member.picture ?? null} seed={value} size={20} />
      <span className={`${shapes.words} ${styles.propWords}`} aria-hidden="true">
        {member.name}
      </span>
    </span>
  );
}

export const person: Look<string> = {
  Card: Picture,
  Cell: Member,
  Editor: pickedWith(Member, PickOne),
  Picker: PickOne,
};
