// Passkeys, where the browser can make them.

import { KeyRound, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { localDay, sayDay } from '../../queries/days.ts';
import { addPasskey, listPasskeys, type Passkey, removePasskey } from '../../session/account.ts';
import { useHouse } from '../../session/react.tsx';
import { words } from '../../strings/words.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { Notice, Skeleton } from '../../ui/state.tsx';
import { useErrand } from './use-errand.ts';

const say = words.account;

export function PasskeySection() {
  const { door } = useHouse();
  /** Undefined: not asked yet. Null: this server has none of it. */
  const [passkeys, setPasskeys] = useState<readonly Passkey[] | null | undefined>(undefined);
  const errand = useErrand();
  const load = useCallback(() => listPasskeys(door).then(setPasskeys, () => setPasskeys(null)), [door]);
  useEffect(() => void load(), [load]);
  if (passkeys === null || !('PublicKeyCredential' in window)) return null;

  async function change(work: () => Promise<void>, done: string): Promise<void> {
    const worked = await errand.run(work, done, (code) =>
      // The browser's own refusal: closed, timed out, or no device at hand.
      code?.startsWith('ERROR_') || code === undefined ? say.passkeyCancelled : null,
    );
    if (worked) await load();
  }

  return (
    <Section title={say.passkeys} hint={say.passkeysHint}>
      {passkeys === undefined && <Skeleton width="40%" />}
      {passkeys?.map((passkey) => {
        const name = passkey.name ?? say.passkeyName;
        return (
          <div key={passkey.id} className="account-row">
            <KeyRound size={18} aria-hidden="true" />
            <span className="account-row-words">
              {name}
              <span className="account-note">{say.passkeySince(sayDay(localDay(new Date(passkey.since))))}</span>
            </span>
            <IconButton
              label={say.removePasskey(name)}
              onClick={() => void change(() => removePasskey(door, passkey.id), say.passkeyGone)}
            >
              <Trash2 size={15} />
            </IconButton>
          </div>
        );
      })}
      {errand.fault && <Notice tone="danger">{errand.fault}</Notice>}
      {errand.done && <Notice tone="good">{errand.done}</Notice>}
      <div className="account-row">
        <span className="account-row-words account-words">{passkeys?.length === 0 ? say.noPasskeys : ''}</span>
        <Button busy={errand.busy} onClick={() => void change(() => addPasskey(door), say.passkeyDone)}>
          {say.addPasskey}
        </Button>
      </div>
    </Section>
  );
}
