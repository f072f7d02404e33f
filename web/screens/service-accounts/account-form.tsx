// Form of a dialog about a service account or an agent: its fields, a refusal, and the button that sends it; and the field of its name.

import type { ReactNode } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import type { Submit } from './use-submit.ts';

interface AccountFormProps {
  readonly submit: Submit;
  readonly label: string;
  readonly children: ReactNode;
}

export function AccountForm({ submit: { busy, fault, onSubmit }, label, children }: AccountFormProps) {
  return (
    <form className={shapes.stackS5} onSubmit={onSubmit}>
      {children}
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
      <Button type="submit" look="main" busy={busy}>
        {label}
      </Button>
    </form>
  );
}

interface NameFieldProps {
  readonly name: string;
  readonly hint?: string;
  readonly onChange: (name: string) => void;
}

export function NameField({ name, hint, onChange }: NameFieldProps) {
  return (
    <TextField
      label={t('common.name')}
      {...(hint === undefined ? {} : { hint })}
      required
      pattern=".*\S.*"
      maxLength={60}
      value={name}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
