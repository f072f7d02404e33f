// The link of an invitation, to read and to copy.

import { Copy } from 'lucide-react';
import { t } from '../../strings/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import fieldStyles from '../../ui/fields/field.module.css';
import { showCopied } from '../../ui/overlays/toaster.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import styles from './people.module.css';

export function LinkField({ link, email }: { link: string; email: string }) {
  return (
    <span className={styles.link}>
      <input
        className={fieldStyles.input}
        readOnly
        aria-label={t('people.invitation.linkOf', { email })}
        value={link}
        onFocus={(event) => event.target.select()}
      />
      <IconButton
        label={t('people.invitation.copy', { email })}
        look="plain"
        onClick={() => void copyText(link).then(showCopied)}
      >
        <Copy size={15} />
      </IconButton>
    </span>
  );
}
