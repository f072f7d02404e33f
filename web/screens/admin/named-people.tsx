// People whom a change would concern: a sentence that says how many, opened by a press where they are many, with their names below.

import type { NamedPeople } from '../../queries/admin/access-changes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './changes.module.css';

/** A few stand there at once. */
const shownAtOnce = 10;

export function PeopleConcerned({ words, people: { total, people } }: { words: string; people: NamedPeople }) {
  if (total === 0) return null;
  return (
    <details className={styles.names} open={total <= shownAtOnce}>
      <summary>{words}</summary>
      <p className={`${shapes.softS} ${shapes.breaks}`}>
        {people
          .map(({ name, email }) => (name === null || email === null ? (name ?? email) : `${name} (${email})`))
          .join(', ')}
        {total > people.length && ` ${t('admin.mapping.more', { n: total - people.length })}`}
      </p>
    </details>
  );
}
