// Line of somebody who sees a task, with what they may do there, and the way to end it.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { SelectField } from '../../ui/fields/field.tsx';
import lines from '../../ui/lines.module.css';
import cardStyles from './person-card.module.css';

interface SeerLineProps<V extends string> {
  readonly face: ReactNode;
  readonly name: string;
  readonly href?: string;
  readonly facts: readonly string[];
  /** Of the choice; unless said it names whose access it is. */
  readonly label?: string;
  readonly value: V;
  readonly choices: readonly { readonly value: V; readonly label: string }[];
  /** What lets them see it stands elsewhere: there it is ended. */
  readonly fixed?: boolean;
  /** Null: no longer. */
  readonly onPick: (picked: V | null) => void;
}

export function SeerLine<V extends string>(props: SeerLineProps<V>) {
  const { face, name, label, value, choices, fixed = false, onPick } = props;
  const remove = fixed ? [] : [{ value: 'remove' as const, label: t('people.guests.remove') }];
  return (
    <li className={`${shapes.row} ${lines.line}`}>
      {face}
      <SeerWords {...props} />
      <span className={lines.role}>
        <SelectField<V | 'remove'>
          label={label ?? t('people.guests.levelOf', { name })}
          bare
          value={value}
          choices={[...choices, ...remove]}
          onPick={(picked) => onPick(picked === 'remove' ? null : (picked as V))}
        />
      </span>
    </li>
  );
}

export function SeerWords({ name, href, facts }: Pick<SeerLineProps<string>, 'name' | 'href' | 'facts'>) {
  return (
    <span className={`${shapes.breaks} ${lines.words}`}>
      {href === undefined ? (
        <strong>{name}</strong>
      ) : (
        <Link href={href} className={cardStyles.personLink}>
          {name}
        </Link>
      )}
      {facts.length > 0 && (
        <span className={`${shapes.quietS} ${lines.facts}`}>
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </span>
      )}
    </span>
  );
}
