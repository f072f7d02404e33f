// Field for the lag of a dependency: days between the end of a task and the start of its successor.

import { mostLag, setLag, useAct } from '../../commands.ts';
import type { DependencyRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { useDraft, useSaveOnLeaving } from '../../ui/fields/draft.ts';
import fieldStyles from '../../ui/fields/field.module.css';
import styles from './dependencies.module.css';

interface LagFieldProps {
  readonly link: DependencyRow;
  /** The key of the task at the other end. */
  readonly other: string;
  readonly canWrite: boolean;
}

export function LagField({ link, other, canWrite }: LagFieldProps) {
  const act = useAct();
  const draft = useDraft(String(link.lag_days));
  const save = (): void => {
    const days = Number(draft.text);
    if (draft.text.trim() !== '' && Number.isInteger(days) && Math.abs(days) <= mostLag && days !== link.lag_days)
      void act(setLag, link.id, days);
    draft.settle();
  };
  useSaveOnLeaving(() => draft.dirty && save());
  if (!canWrite)
    return (
      <span className={`${shapes.inlineS2} ${shapes.quietXs} ${shapes.rigid} numbers`}>
        {t('plan.lag.days', { n: link.lag_days })}
      </span>
    );
  return (
    <label className={`${shapes.inlineS2} ${shapes.quietXs} ${shapes.rigid} numbers`} title={t('plan.lag.hint')}>
      <span className="only-spoken">{t('plan.lag.label', { key: other })}</span>
      <input
        className={`${fieldStyles.input} ${styles.lagField}`}
        type="number"
        min={-mostLag}
        max={mostLag}
        value={draft.text}
        onChange={(event) => draft.set(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          save();
        }}
      />
      <span aria-hidden="true">{t('plan.lag.unit')}</span>
    </label>
  );
}
