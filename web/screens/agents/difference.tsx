// A difference of rows, drawn: the things of each task below its title, fields before and after, texts with what is added and removed in them.

import { Minus, Pencil, Plus } from 'lucide-react';
import { useMemo } from 'react';
import type { DifferenceStep } from '../../queries/agents/sessions.ts';
import { type Reader, useQuery, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { TextChanges } from '../task/text-changes.tsx';
import styles from './agents.module.css';
import { type ChangedGroup, type ChangedThing, groupsOf } from './say-difference.ts';

/** How many rows there are that give a difference its words. */
const countNames = {
  read: (store: Reader, projectId: string): number =>
    (['tasks', 'workflow_columns', 'task_labels', 'custom_fields', 'project_members'] as const).reduce(
      (sum, table) => sum + store.count(table, 'project_id', projectId),
      0,
    ),
} as const;

const icons = { added: Plus, changed: Pencil, removed: Minus } as const;

/** With the names that are known now. */
export function useGroups(projectId: string, steps: readonly DifferenceStep[]): readonly ChangedGroup[] {
  const store = useReader();
  const known = useQuery(countNames, projectId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: names come with the project
  return useMemo(() => groupsOf(steps, store), [steps, store, known]);
}

export function Difference({ groups }: { groups: readonly ChangedGroup[] }) {
  return (
    <ul className={`${shapes.stackS4} ${shapes.oneColumn}`} aria-label={t('agents.proposals.difference')}>
      {groups.map(({ taskId, title, things }) => (
        <li key={taskId} className={`${shapes.stackS2} ${shapes.oneColumn}`}>
          {title !== null && <p className={`${shapes.medium} ${shapes.breaks}`}>{title}</p>}
          <ul className={`${shapes.stackS3} ${shapes.oneColumn}`}>
            {things.map((one) => (
              <Thing key={one.key} thing={one} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Thing({ thing: { change, thing, name, fields } }: { thing: ChangedThing }) {
  const Icon = icons[change];
  return (
    <li className={`${shapes.topS3} ${styles.thing}`} data-change={change}>
      <Icon size={16} aria-hidden="true" />
      <div className={`${shapes.stackS2} ${shapes.fill} ${shapes.oneColumn}`}>
        <p className={shapes.breaks}>
          <span className="only-spoken">{t(`agents.proposals.${change}`)} </span>
          {t('common.pair', { name: thing, value: name || t('common.none') })}
        </p>
        {fields.length > 0 && (
          <dl className={shapes.stackS3}>
            {fields.map(({ name: field, from, to, isText }) => (
              <div key={field} className={shapes.slim}>
                <dt className={shapes.quietS}>{field}</dt>
                <dd className={shapes.breaks}>
                  {isText && from !== null && to !== null ? (
                    <TextChanges one={from} other={to} />
                  ) : (
                    <span className={styles.values}>
                      {from !== null && (
                        <del>
                          <span className="only-spoken">{t('writing.versions.removed')} </span>
                          {from}
                        </del>
                      )}{' '}
                      {to !== null && (
                        <ins>
                          <span className="only-spoken">{t('writing.versions.added')} </span>
                          {to}
                        </ins>
                      )}
                    </span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </li>
  );
}
