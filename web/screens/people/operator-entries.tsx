// Operators' actions in a project, for its members: who looked in, when, and why.

import { sayMoment } from '../../queries/days/days.ts';
import { useOperatorEntries } from '../../queries/projects/operator-entries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import lines from '../../ui/lines.module.css';
import styles from './people.module.css';

export function OperatorEntries({ projectId }: { projectId: string }) {
  const { data } = useOperatorEntries(projectId);
  if (data === null || data.length === 0) return null;
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-label={t('people.operators.title')}>
      <h2>{t('people.operators.title')}</h2>
      <ul className={`${shapes.stackS2} ${shapes.oneColumn}`}>
        {data.map(({ id, deed: action, operator, reason, created_at: began, left_at: left }) => (
          <li key={id} className={`${shapes.row} ${lines.line}`}>
            <span className={`${shapes.breaks} ${lines.words}`}>
              <strong>{t('people.operators.line', { action, operator })}</strong>
              <span className={`${shapes.quietS} ${lines.facts}`}>
                <span>{reason}</span>
                <time dateTime={began}>{sayMoment(began)}</time>
                {action === 'entered' && (
                  <span>
                    {left === null
                      ? t('people.operators.still')
                      : t('people.operators.until', { when: sayMoment(left) })}
                  </span>
                )}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
