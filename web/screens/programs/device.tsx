// Device page: the person enters the code that a program on another device shows, and goes on to the consent page.

import { type FormEvent, useState } from 'react';
import { Redirect } from 'wouter';
import { findDeviceRequest } from '../../commands.ts';
import { paths } from '../../routes.ts';
import { isAuthRefusal } from '../../session/account.ts';
import { useApp, useSession } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Loading } from '../../ui/list-states.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { AuthFrame, Lead } from '../sign-in/auth-frame.tsx';
import { withReturnPath } from '../sign-in/return-path.ts';
import { ConsentTo, sayConsentFault } from './consent.tsx';

export default function Device() {
  const { door, settings } = useApp();
  const { session, user, loading } = useSession();
  const [code, setCode] = useState(() => location.hash.slice(1));
  const [id, setId] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const here = paths.device + (code === '' ? '' : `#${code}`);
  usePageTitle(t('programs.device.title'));

  if (!loading && (user === null || session?.factorDue))
    return <Redirect to={withReturnPath(paths.signIn, here)} replace />;
  if (id !== null) return <ConsentTo id={id} here={here} />;

  async function find(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    try {
      setId(await findDeviceRequest(door, settings.anonKey, code));
    } catch (reason) {
      setFault(sayFault(reason));
    }
    setBusy(false);
  }

  return (
    <AuthFrame title={t('programs.device.title')}>
      {loading ? (
        <Loading label={t('common.loading')} />
      ) : (
        <form className={shapes.stackS5} onSubmit={(event) => void find(event)}>
          <Lead>{t('programs.device.words')}</Lead>
          <TextField
            label={t('programs.device.code')}
            value={code}
            error={fault}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            onChange={({ target }) => {
              setCode(target.value);
              setFault(null);
            }}
          />
          <Button type="submit" look="main" busy={busy}>
            {t('common.continue')}
          </Button>
        </form>
      )}
    </AuthFrame>
  );
}

function sayFault(reason: unknown): string {
  const isUnknown = isAuthRefusal(reason) && reason.code === 'oauth_authorization_not_found';
  return isUnknown ? t('programs.device.unknown') : sayConsentFault(reason);
}
