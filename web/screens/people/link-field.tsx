// A link that invites, to read and to copy.

import { Copy } from 'lucide-react';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../../ui/button.tsx';
import fieldStyles from '../../ui/fields/field.module.css';
import { showCopied } from '../../ui/overlays/toaster.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import styles from './people.module.css';

interface LinkFieldProps {
  readonly link: string;
  readonly label: string;
  readonly copyLabel: string;
}

export function LinkField({ link, label, copyLabel }: LinkFieldProps) {
  return (
    <span className={`${shapes.lineS3} ${shapes.lineS3} ${styles.link}`}>
      <input
        className={fieldStyles.input}
        readOnly
        aria-label={label}
        value={link}
        onFocus={(event) => event.target.select()}
      />
      <IconButton label={copyLabel} look="plain" onClick={() => void copyText(link).then(showCopied)}>
        <Copy size={15} />
      </IconButton>
    </span>
  );
}

/** With its label above, where there are several. */
export function LabelledLink(props: LinkFieldProps) {
  return (
    <span className={shapes.stackS1}>
      <span className={shapes.quietS} aria-hidden="true">
        {props.label}
      </span>
      <LinkField {...props} />
    </span>
  );
}
