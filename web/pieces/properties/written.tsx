// Look of what is typed: words, numbers with their unit, and URLs that open.

import { ExternalLink } from 'lucide-react';
import { type ComponentType, useId } from 'react';
import { propertyNamed } from '../../properties/properties.ts';
import { unitOf } from '../../properties/values.ts';
import { useQuery, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { useSavedField } from '../../ui/fields/draft.ts';
import { limitTo } from '../../ui/fields/limit-to.ts';
import type { EditorProps, Look, ValueProps } from './look.ts';
import { None } from './picked.tsx';
import styles from './properties.module.css';
import { Words } from './words.tsx';

type Typed = string | number;

interface Typing {
  readonly inputMode: 'text' | 'decimal' | 'url';
  readonly className: string;
  /** In characters. */
  readonly most: number;
  /** Beside the field. */
  readonly After?: ComponentType<{ readonly name: string; readonly value: Typed }>;
}

function typedWith({ inputMode, className, most, After }: Typing): ComponentType<EditorProps<Typed>> {
  return ({ of, projectId, value, canWrite, name, label, hint, id: fieldId, onChange }) => {
    const store = useReader();
    const id = useId();
    const unit = useQuery(unitOf, of);
    const property = propertyNamed(of);
    const source = property.source(store, projectId);
    const { field, fault } = useSavedField(value === null ? '' : property.sayValue(source, value), (typed) => {
      if (typed === '') return onChange(null);
      const read = property.readValue(source, typed, () => undefined);
      return 'fault' in read ? read.fault : onChange(read.value as Typed);
    });
    const after = After && value !== null && <After name={name} value={value} />;
    if (!canWrite)
      return (
        <span className={styles.propValue}>
          {value === null ? <None name={label} /> : property.showValue(source, value)}
          {after}
        </span>
      );
    return (
      <>
        <span className={`${shapes.row} ${shapes.wraps} ${styles.propLine}`}>
          <input
            id={fieldId}
            className={`${styles.propInput} ${className} ${unit === null ? '' : styles.propNumber}`}
            inputMode={inputMode}
            {...limitTo(most)}
            aria-label={label}
            aria-describedby={fault || hint ? id : undefined}
            aria-invalid={fault !== null || undefined}
            title={hint}
            placeholder="–"
            {...field}
          />
          {unit !== null && <span className={`${shapes.inlineS2} ${shapes.quiet}`}>{unit}</span>}
          {after}
        </span>
        {(fault || hint) && (
          <span
            id={id}
            className={fault ? `${shapes.wrong} ${styles.propWrong}` : 'only-spoken'}
            role={fault ? 'alert' : undefined}
          >
            {fault ?? hint}
          </span>
        )}
      </>
    );
  };
}

const Text = ({ value }: ValueProps<Typed>) => <Words value={String(value)} />;

function Amount({ of, projectId, value }: ValueProps<Typed>) {
  const property = propertyNamed(of);
  useQuery(unitOf, of);
  return <span className="numbers">{property.showValue(property.source(useReader(), projectId), value)}</span>;
}

const Address = ({ value }: ValueProps<Typed>) => (
  <a
    className={`${shapes.words} ${styles.address}`}
    href={String(value)}
    target="_blank"
    rel="noreferrer noopener"
    tabIndex={-1}
  >
    {String(value).replace(/^https?:\/\//, '')}
  </a>
);

const OpenLink = ({ name, value }: { name: string; value: Typed }) => (
  <a
    href={String(value)}
    target="_blank"
    rel="noreferrer noopener"
    className={`${shapes.middle} ${shapes.press} ${shapes.holder} ${shapes.roundS} ${styles.propLink}`}
    aria-label={t('common.openNamed', { name })}
  >
    <ExternalLink size={14} aria-hidden="true" />
  </a>
);

const text = { className: styles.propText ?? '', most: 5000 };

export const words: Look<Typed> = { Card: Text, Cell: Text, Editor: typedWith({ ...text, inputMode: 'text' }) };

export const number: Look<Typed> = {
  Card: Amount,
  Cell: Amount,
  Editor: typedWith({ className: 'numbers', most: 100, inputMode: 'decimal' }),
};

export const link: Look<Typed> = {
  Card: Text,
  Cell: Address,
  Editor: typedWith({ ...text, most: 2000, inputMode: 'url', After: OpenLink }),
};
