// A password: hidden while it is typed, shown as long as one asks for it.

import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../strings/messages.ts';
import { IconButton } from '../button.tsx';
import { TextField, type TextFieldProps } from './field.tsx';

export function PasswordField(field: Omit<TextFieldProps, 'type' | 'inside'>) {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      {...field}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      inside={
        <IconButton label={t('common.showTyped')} aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? <EyeOff size={16} /> : <Eye size={16} />}
        </IconButton>
      }
    />
  );
}
