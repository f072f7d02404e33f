// Keys or apps that reach a project, for its owners, who take them out of reach.

import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { Ask } from '../../commands.ts';
import { nameOf, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { FactRow } from '../../ui/fact-row.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { EndQuestion } from './end-question.tsx';
import type { AskedList } from './use-fetched-list.ts';

interface Reaching {
  readonly id: string;
  readonly name: string;
  /** The person or service account that it acts for. */
  readonly user_id: string;
}

interface ReachingListProps<T> {
  readonly label: string;
  readonly none: string;
  readonly icon: LucideIcon;
  readonly asked: AskedList<readonly T[]>;
  readonly factsOf: (one: T) => string;
  readonly remove: (ask: Ask, id: string) => Promise<void>;
}

export function AccessList<T extends Reaching>({ label, none, icon, asked, factsOf, remove }: ReachingListProps<T>) {
  const { list, fault, busy, run } = asked;
  const store = useReader();
  const [asking, setAsking] = useState<T | null>(null);
  return (
    <>
      {list === null && fault === null && <Loading label={t('common.loading')} />}
      {list?.length === 0 && <p className={shapes.quiet}>{none}</p>}
      {list !== null && list.length > 0 && (
        <ul className={shapes.stackS5} aria-label={label}>
          {list.map((one) => (
            <FactRow
              key={one.id}
              icon={icon}
              name={t('keys.of', { key: one.name, person: nameOf(store.get('profiles', one.user_id)) })}
              facts={[factsOf(one)]}
            >
              <Button
                disabled={busy}
                aria-label={t('keys.removeOf', { name: one.name })}
                onClick={() => setAsking(one)}
              >
                {t('keys.remove')}
              </Button>
            </FactRow>
          ))}
        </ul>
      )}
      {asking !== null && (
        <EndQuestion
          title={t('keys.removeOf', { name: asking.name })}
          words={t('keys.removeWords')}
          action={t('keys.remove')}
          onConfirm={() => void run((ask) => remove(ask, asking.id))}
          onClose={() => setAsking(null)}
        />
      )}
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
    </>
  );
}
