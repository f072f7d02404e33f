// Keys for programs: listed, created with scope, projects and expiry, shown once, revoked.

import { useEffect, useState } from 'react';
import { type ApiKey, listKeys, makeKey, revokeKey, sayRefusal, useAsk } from '../../commands.ts';
import { openProjects } from '../../queries/projects/projects.ts';
import { useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { showCopied } from '../../ui/overlays/toaster.tsx';
import { Section } from '../../ui/section.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import { sayReach } from '../people/say-key.ts';
import { isOf, KeyLine } from '../service-accounts/key-line.tsx';
import { NewKeyForm } from '../service-accounts/new-key-form.tsx';

export function KeySection() {
  const ask = useAsk();
  const projects = useQuery(openProjects);
  const [keys, setKeys] = useState<readonly ApiKey[]>([]);
  const [token, setToken] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    ask(listKeys).then(setKeys, (reason) => setFault(sayRefusal(reason)));
  }, [ask]);

  /** One after the other; the list is read again afterwards. */
  async function run(work: () => Promise<string | null>): Promise<boolean> {
    setBusy(true);
    setFault(null);
    try {
      setToken(await work());
      setKeys(await ask(listKeys));
      return true;
    } catch (reason) {
      setFault(sayRefusal(reason));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return (
    <Section title={t('keys.title')} hint={t('keys.hint')}>
      {keys.length > 0 && (
        <ul aria-label={t('keys.title')}>
          {keys.map((key) => (
            <KeyLine
              key={key.id}
              apiKey={key}
              reach={sayReach(key, projects)}
              busy={busy}
              onRevoke={() => void run(() => ask(revokeKey, key.id).then(() => (isOf(token, key) ? null : token)))}
            />
          ))}
        </ul>
      )}
      <NewKeyForm projects={projects} busy={busy} onMake={(key) => run(() => ask(makeKey, key))} />
      {token !== null && (
        <>
          <TextField
            label={t('keys.token')}
            hint={t('keys.once')}
            readOnly
            value={token}
            onFocus={(event) => event.target.select()}
          />
          <div className={shapes.wrapS3}>
            <Button onClick={() => void copyText(token).then(showCopied)}>{t('keys.copy')}</Button>
          </div>
        </>
      )}
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
    </Section>
  );
}
