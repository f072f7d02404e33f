// Plan of a session: its steps, and how far each is.

import { Circle, CircleCheck, CircleDot, CircleSlash, type LucideIcon } from 'lucide-react';
import type { PlanStep } from '../../queries/agents/sessions.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './agents.module.css';

type StepState = NonNullable<PlanStep['state']>;

const icons: Readonly<Record<StepState, LucideIcon>> = {
  pending: Circle,
  active: CircleDot,
  complete: CircleCheck,
  canceled: CircleSlash,
};

export function PlanList({ plan }: { plan: readonly PlanStep[] }) {
  if (plan.length === 0) return null;
  return (
    <section className={shapes.stackS3} aria-label={t('agents.plan')}>
      <h4>{t('agents.plan')}</h4>
      <ol className={shapes.stackS2}>
        {plan.map(({ title, state = 'pending' }, at) => {
          const Icon = icons[state];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no names of their own
            <li key={at} className={`${shapes.topS3} ${styles.step}`} data-state={state}>
              <Icon size={16} aria-hidden="true" />
              <span className={shapes.breaks}>
                {title} <span className="only-spoken">({t(`agents.steps.${state}`)})</span>
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
