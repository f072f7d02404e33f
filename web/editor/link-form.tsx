// Asks for the address that the selected words lead to; whoever shows it holds what is typed.

import { Unlink } from 'lucide-react';
import type { Ref } from 'react';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import fieldStyles from '../ui/fields/field.module.css';
import { addressFrom } from './editing-actions.ts';
import styles from './rich-field.module.css';

interface Props {
  readonly field: Ref<HTMLInputElement>;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  /** An empty address takes the link away. */
  readonly onLink: (typed: string) => void;
  /** There is a link already. */
  readonly isLink: boolean;
}

export function LinkForm({ field, typed, onType, onLink, isLink }: Props) {
  const wrong = addressFrom(typed) === null;
  return (
    <form
      className={`${shapes.flex} ${shapes.within} ${styles.linkForm}`}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onLink(typed);
      }}
    >
      <input
        ref={field}
        className={fieldStyles.input}
        aria-label={t('writing.address')}
        aria-invalid={wrong ? true : undefined}
        placeholder={t('writing.addressHint')}
        value={typed}
        onChange={(event) => onType(event.target.value)}
      />
      {isLink && (
        <button
          type="button"
          className={`${shapes.middle} ${shapes.pressInk} ${shapes.soft} ${shapes.rigid} ${styles.tool}`}
          aria-label={t('writing.unlink')}
          title={t('writing.unlink')}
          onClick={() => onLink('')}
        >
          <Unlink size={16} />
        </button>
      )}
    </form>
  );
}
