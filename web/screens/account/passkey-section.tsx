// Passkeys, where the browser can make them.

import { KeyRound, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { localDay, sayDay } from '../../queries/days/days.ts';
import { addPasskey, listPasskeys, type Passkey, removePasskey } from '../../session/account.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { Notice, Skeleton } from '../../ui/state.tsx';
import styles from './account.module.css';
import { useRequest } from './use-request.ts';

export function PasskeySection() {
  const { door } = useApp();
  /** Undefined: not asked yet. Null: this server has none of it. */
  const [passkeys, setPasskeys] = useState<readonly Passkey[] | null | undefined>(undefined);
  const request = useRequest();
  const load = useCallback(() => listPasskeys(door).then(setPasskeys, () => setPasskeys(null)), [door]);
  useEffect(() => void load(), [load]);
  if (passkeys === null || !('PublicKeyCredential' in window)) return null;

  async function change(work: () => Promise<void>, done: string): Promise<void> {
    const worked = await request.run(work, done, (code) =>
      // The browser's own refusal: closed, timed out, or no device at hand.
      code?.startsWith('ERROR_') || code === undefined ? t('account.passkeyCancelled') : null,
    );
    if (worked) await load();
  }

  return (
    <Section title={t('account.passkeys')} hint={t('account.passkeysHint')}>
      {passkeys === undefined && <Skeleton width="40%" />}
      {passkeys?.map((passkey) => {
        const name = passkey.name ?? t('account.passkeyName');
        return (
          <div key={passkey.id} className={styles.accountRow}>
            <KeyRound size={18} aria-hidden="true" />
            <span className={styles.accountRowWords}>
              {name}
              <span className={styles.accountNote}>
                {t('account.passkeySince', { date: sayDay(localDay(new Date(passkey.since))) })}
              </span>
            </span>
            <IconButton
              label={t('account.removePasskey', { name })}
              onClick={() => void change(() => removePasskey(door, passkey.id), t('account.passkeyGone'))}
            >
              <Trash2 size={15} />
            </IconButton>
          </div>
        );
      })}
      {request.fault && <Notice tone="danger">{request.fault}</Notice>}
      {request.done && <Notice tone="good">{request.done}</Notice>}
      <div className={styles.accountRow}>
        <span className={`${styles.accountRowWords} ${styles.accountWords}`}>
          {passkeys?.length === 0 ? t('account.noPasskeys') : ''}
        </span>
        <Button busy={request.busy} onClick={() => void change(() => addPasskey(door), t('account.passkeyDone'))}>
          {t('account.addPasskey')}
        </Button>
      </div>
    </Section>
  );
}
