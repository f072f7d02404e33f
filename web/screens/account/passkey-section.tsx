// Passkeys, where the browser can make them: added under the name of the device, renamed, removed. At an IP address it says why not.

import { KeyRound, Pencil, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { localDay, sayDay } from '../../queries/days/days.ts';
import { nameDevice } from '../../queries/people/name-device.ts';
import { addPasskey, listPasskeys, type Passkey, removePasskey, renamePasskey } from '../../session/account.ts';
import { isIpAddress } from '../../session/passkeys.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import { FactRow } from '../../ui/fact-row.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { Notice, Skeleton } from '../../ui/list-states.tsx';
import { Section } from '../../ui/section.tsx';
import { useRequest } from './use-request.ts';

export function PasskeySection() {
  const { door } = useApp();
  /** Undefined: not asked yet. Null: this server has none of it. */
  const [passkeys, setPasskeys] = useState<readonly Passkey[] | null | undefined>(undefined);
  const request = useRequest();
  const load = useCallback(() => listPasskeys(door).then(setPasskeys, () => setPasskeys(null)), [door]);
  useEffect(() => void load(), [load]);
  const [renaming, setRenaming] = useState<string | null>(null);
  if (passkeys === null || !('PublicKeyCredential' in window)) return null;
  const host = location.hostname;

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
        const name = passkey.name || t('account.passkeyName');
        if (renaming === passkey.id)
          return (
            <NameForm
              key={passkey.id}
              name={name}
              onClose={() => setRenaming(null)}
              onSave={(typed) => {
                setRenaming(null);
                void change(() => renamePasskey(door, passkey.id, typed), t('account.passkeyRenamed'));
              }}
            />
          );
        return (
          <FactRow
            as="div"
            key={passkey.id}
            icon={KeyRound}
            name={name}
            facts={[t('account.passkeySince', { date: sayDay(localDay(new Date(passkey.since))) })]}
          >
            <IconButton label={t('account.passkeyRename', { name })} onClick={() => setRenaming(passkey.id)}>
              <Pencil size={15} />
            </IconButton>
            <IconButton
              label={t('account.removePasskey', { name })}
              onClick={() => void change(() => removePasskey(door, passkey.id), t('account.passkeyGone'))}
            >
              <Trash2 size={15} />
            </IconButton>
          </FactRow>
        );
      })}
      {request.fault && <Notice tone="danger">{request.fault}</Notice>}
      {request.done && <Notice tone="good">{request.done}</Notice>}
      <FactRow
        as="div"
        words
        name={
          isIpAddress(host)
            ? t('account.passkeyNeedsName', { host })
            : passkeys?.length === 0
              ? t('account.noPasskeys')
              : ''
        }
      >
        {!isIpAddress(host) && (
          <Button
            busy={request.busy}
            onClick={() => void change(() => addPasskey(door, thisDevice()), t('account.passkeyDone'))}
          >
            {t('account.addPasskey')}
          </Button>
        )}
      </FactRow>
    </Section>
  );
}

/** "Firefox on Linux", as the list of sessions says it. */
function thisDevice(): string {
  const { browser, system } = nameDevice(navigator.userAgent);
  const named = browser ?? t('account.unknownBrowser');
  return system === null ? named : t('account.device', { browser: named, system });
}

interface NameFormProps {
  readonly name: string;
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}

function NameForm({ name, onSave, onClose }: NameFormProps) {
  const [text, setText] = useState(name);
  return (
    <form
      className={shapes.rowS4}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onSave(text.trim());
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className={shapes.fill}>
        <TextField
          label={t('account.passkeyNewName')}
          bare
          autoFocus
          {...limitTo(100)}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Button onClick={onClose}>{t('common.cancel')}</Button>
      <Button look="main" type="submit" disabled={text.trim() === ''}>
        {t('common.save')}
      </Button>
    </form>
  );
}
