// Editor of values that are picked: the value is a button that opens the picker of its kind.

import type { ComponentType, ReactNode } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import type { EditorProps, PickerProps, ValueProps } from './look.ts';
import styles from './properties.module.css';

interface NoneProps {
  /** Of the property. */
  readonly name: string;
  readonly children?: string;
}

/** No value; a chip shows the name of its property instead. */
export const None = ({ name, children = t('common.none') }: NoneProps) => (
  <span className={`${shapes.inlineS2} ${shapes.quiet}`}>
    <span className={styles.noneWords}>{children}</span>
    <span className={styles.noneName} aria-hidden="true">
      {name}
    </span>
  </span>
);

export function pickedWith<V>(
  Value: ComponentType<ValueProps<V>>,
  Picker: ComponentType<PickerProps<V>>,
): ComponentType<EditorProps<V>> {
  return ({ of, projectId, value, canWrite, label, onChange }) => {
    const face = value === null ? <None name={label} /> : <Value {...{ of, projectId, value }} />;
    if (!canWrite) return <span className={styles.propValue}>{face}</span>;
    return <Picker {...{ of, projectId, value, label, onChange }} trigger={<Opener label={label}>{face}</Opener>} />;
  };
}

/** What opens a picker: the value itself, after what it is a value of. */
function Opener({ label, children, ...rest }: { label: string; children: ReactNode }) {
  return (
    <button type="button" className={`${styles.propValue} ${styles.propButton}`} {...rest}>
      <span className="only-spoken">{label}: </span>
      {children}
    </button>
  );
}
