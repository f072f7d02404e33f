// Charts of a project's fields: numbers and ticks as figures, choices and people as bars.

import type { FieldFigures } from '../../queries/figures/field-figures.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import { sayAmount } from '../../strings/say-amount.ts';
import shapes from '../../styles/shapes.module.css';
import { Lying } from '../../ui/charts.tsx';
import { ChartCard } from './chart-card.tsx';
import styles from './dashboard.module.css';

/** More than fit a chart go into its table. */
const most = 12;

interface Line {
  readonly name: string;
  readonly count: number;
}

/** Of a number its sum, of a box how many have ticked it; null: it is drawn. */
function figureOf(field: FieldFigures): { readonly figure: string; readonly more: string } | null {
  if ('ticked' in field) return { figure: sayNumber(field.ticked), more: t('dashboard.ticked') };
  if (!('sum' in field)) return null;
  const amount = (n: number): string => sayAmount(n, field.unit);
  const more = field.average === null ? '' : t('dashboard.average', { amount: amount(field.average) });
  return { figure: amount(field.sum), more };
}

export function FieldTiles({ fields }: { fields: readonly FieldFigures[] }) {
  const tiles = fields.flatMap((field) => {
    const said = figureOf(field);
    return said === null ? [] : [{ id: field.field_id, name: field.name, ...said }];
  });
  if (tiles.length === 0) return null;
  return (
    <section className={styles.fieldTiles} aria-label={t('dashboard.fields')}>
      <dl className={`${shapes.stackS4} ${shapes.stackS4} ${styles.tiles}`}>
        {tiles.map(({ id, name, figure, more }) => (
          <div key={id} className={`${shapes.stackS2} ${shapes.card} ${styles.tile}`}>
            <dt>{name}</dt>
            <dd className="numbers">{figure}</dd>
            {more !== '' && <dd className={styles.tileMore}>{more}</dd>}
          </div>
        ))}
      </dl>
    </section>
  );
}

export function FieldCharts({ fields }: { fields: readonly FieldFigures[] }) {
  return fields.map((field) => {
    const lines = linesOf(field);
    return lines.length === 0 ? null : <FieldChart key={field.field_id} name={field.name} lines={lines} />;
  });
}

function FieldChart({ name, lines }: { name: string; lines: readonly Line[] }) {
  return (
    <ChartCard
      title={name}
      hint={t('dashboard.byFieldHint')}
      table={{
        heads: [name, t('common.taskList')],
        rows: lines.map((line) => [line.name, sayNumber(line.count)]),
      }}
    >
      <Lying
        series={[{ key: 'count', name: t('common.taskList'), color: 'var(--chart-3)' }]}
        rows={lines.slice(0, most).map((line) => ({ ...line, figure: sayNumber(line.count) }))}
        label={name}
      />
      {lines.length > most && <p className={shapes.quiet}>{t('dashboard.more', { n: lines.length - most })}</p>}
    </ChartCard>
  );
}

function linesOf(field: FieldFigures): readonly Line[] {
  if ('people' in field)
    return field.people.map(({ display_name, count }) => ({ name: display_name ?? t('common.formerMember'), count }));
  return 'options' in field ? field.options.map(({ name, count }) => ({ name, count })) : [];
}
