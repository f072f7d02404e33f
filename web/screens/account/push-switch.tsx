// Switch for push messages on this device.

import { useEffect, useState } from 'react';
import { type PushState, readPushKey, readPushState, turnPushOff, turnPushOn } from '../../session/push.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { FactRow } from '../../ui/fact-row.tsx';
import { Notice } from '../../ui/list-states.tsx';

/** The key to subscribe with; null until it is known, or where the service sends none. */
export function usePushKey(): string | null {
  const { door } = useApp();
  const [key, setKey] = useState<string | null>(null);
  useEffect(() => {
    readPushKey(door).then(setKey, () => setKey(null));
  }, [door]);
  return key;
}

export function PushSwitch({ pushKey }: { pushKey: string }) {
  const { door } = useApp();
  const [state, setState] = useState<PushState | null>(null);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    readPushState().then(setState, () => setState('unsupported'));
  }, []);
  if (state === null) return null;

  async function turn(): Promise<void> {
    setBusy(true);
    setFailed(false);
    try {
      setState(state === 'on' ? await turnPushOff(door) : await turnPushOn(door, pushKey));
    } catch {
      setFailed(true);
    } finally {
      setBusy(false);
    }
  }

  return (
    <FactRow as="div" name={t('notificationSettings.pushHere')} facts={[t(`notificationSettings.pushStates.${state}`)]}>
      {(state === 'on' || state === 'off') && (
        <Button busy={busy} onClick={() => void turn()}>
          {state === 'on' ? t('notificationSettings.pushOff') : t('notificationSettings.pushOn')}
        </Button>
      )}
      {failed && <Notice tone="danger">{t('notificationSettings.pushFailed')}</Notice>}
    </FactRow>
  );
}
