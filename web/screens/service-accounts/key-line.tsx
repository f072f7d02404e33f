// Line of a key that its person or a manager of its service account revokes.

import { KeyRound } from 'lucide-react';
import type { ApiKey } from '../../commands.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { sayKeyUse } from '../people/say-key.ts';
import styles from './service-accounts.module.css';

interface KeyLineProps {
  readonly apiKey: ApiKey;
  /** The projects, in words. */
  readonly reach: string;
  readonly busy: boolean;
  readonly onRevoke: () => void;
}

export function KeyLine({ apiKey: key, reach, busy, onRevoke }: KeyLineProps) {
  return (
    <li className={`${shapes.rowS4} ${styles.key}`}>
      <KeyRound size={18} aria-hidden="true" />
      <span className={`${shapes.breaks} ${shapes.medium} ${styles.words}`}>
        {key.name}
        <span className={`${shapes.quietS} ${shapes.block} ${shapes.plain}`}>
          {[t(`keys.scopes.${key.scope}`), reach, `${key.prefix}…`].join(' · ')}
        </span>
        <span className={`${shapes.quietS} ${shapes.block} ${shapes.plain}`}>{sayKeyUse(key)}</span>
      </span>
      <Button disabled={busy} aria-label={t('keys.revokeOf', { name: key.name })} onClick={onRevoke}>
        {t('keys.revoke')}
      </Button>
    </li>
  );
}
