// A labelled control with its hint and its error beside it, tied together for screen readers.

import type { InputHTMLAttributes, ReactNode, Ref, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { useId } from 'react';
import shapes from '../../styles/shapes.module.css';
import styles from './field.module.css';

interface Around {
  label: string;
  /** The label is spoken, not shown. */
  bare?: boolean;
  hint?: ReactNode;
  error?: string | null;
}

function useAround({ hint, error }: Pick<Around, 'hint' | 'error'>) {
  const id = useId();
  const described = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return {
    id,
    aria: { 'aria-describedby': described, 'aria-invalid': error ? (true as const) : undefined },
  };
}

function Frame({ id, label, bare, hint, error, children }: Around & { id: string; children: ReactNode }) {
  return (
    <div className={`${shapes.stackS2} ${shapes.slim}`}>
      <label htmlFor={id} className={bare ? 'only-spoken' : `${shapes.softS} ${styles.fieldLabel}`}>
        {label}
      </label>
      {children}
      {/* What is wrong takes the place of what is asked for: both say the same, and nothing below moves. */}
      {hint && !error && (
        <p id={`${id}-hint`} className={`${shapes.quietS} ${shapes.breaks}`}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={`${shapes.wrong} ${shapes.medium}`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

export type TextFieldProps = Around &
  InputHTMLAttributes<HTMLInputElement> & {
    ref?: Ref<HTMLInputElement>;
    /** Stands in the field, at its end. */
    inside?: ReactNode;
  };

export function TextField({ label, bare, hint, error, inside, className = '', ...rest }: TextFieldProps) {
  const { id, aria } = useAround({ hint, error });
  const input = <input id={id} className={`${styles.input} ${className}`} {...aria} {...rest} />;
  return (
    <Frame id={id} label={label} bare={bare} hint={hint} error={error}>
      {inside ? (
        <span className={`${shapes.holder} ${shapes.block} ${styles.around}`}>
          {input}
          {inside}
        </span>
      ) : (
        input
      )}
    </Frame>
  );
}

export type TextAreaProps = Around & TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> };

export function TextArea({ label, bare, hint, error, className = '', ...rest }: TextAreaProps) {
  const { id, aria } = useAround({ hint, error });
  return (
    <Frame id={id} label={label} bare={bare} hint={hint} error={error}>
      <textarea id={id} className={`${styles.input} ${styles.textArea} ${className}`} {...aria} {...rest} />
    </Frame>
  );
}

export interface Choice<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly disabled?: boolean;
}

export type SelectFieldProps<V extends string> = Around &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value'> & {
    value: V;
    choices: readonly Choice<V>[];
    onPick: (value: V) => void;
  };

export function SelectField<V extends string>({
  label,
  bare,
  hint,
  error,
  choices,
  onPick,
  className = '',
  ...rest
}: SelectFieldProps<V>) {
  const { id, aria } = useAround({ hint, error });
  return (
    <Frame id={id} label={label} bare={bare} hint={hint} error={error}>
      <select
        id={id}
        className={`${styles.input} ${styles.select} ${className}`}
        {...aria}
        {...rest}
        onChange={(event) => {
          const picked = choices.find((choice) => choice.value === event.target.value);
          if (picked) onPick(picked.value);
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} disabled={choice.disabled}>
            {choice.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

export function CheckField({
  label,
  hint,
  ...rest
}: Omit<Around, 'error' | 'bare'> & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className={`${shapes.topS3} ${styles.checkField}`}>
      <input id={id} type="checkbox" aria-describedby={hint ? `${id}-hint` : undefined} {...rest} />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className={`${shapes.quietS} ${shapes.breaks}`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
