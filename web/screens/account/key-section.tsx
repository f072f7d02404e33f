// Keys for programs: listed, created with scope, projects and expiry, shown once, revoked.

import { useState } from 'react';
import { listKeys, makeKey, revokeKey } from '../../commands.ts';
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
import { useFetchedList } from '../people/use-fetched-list.ts';
import { isOf, KeyLine } from '../service-accounts/key-line.tsx';
import { NewKeyForm } from '../service-accounts/new-key-form.tsx';

export function KeySection() {
  const projects = useQuery(openProjects);
  const { list: keys, fault, busy, run } = useFetchedList(listKeys, undefined);
  const [token, setToken] = useState<string | null>(null);

  return (
    <Section title={t('keys.title')} hint={t('keys.hint')}>
      {keys !== null && keys.length > 0 && (
        <ul className={shapes.stackS5} aria-label={t('keys.title')}>
          {keys.map((key) => (
            <KeyLine
              key={key.id}
              apiKey={key}
              reach={sayReach(key, projects)}
              busy={busy}
              onRevoke={() =>
                void run(async (ask) => {
                  await ask(revokeKey, key.id);
                  if (isOf(token, key)) setToken(null);
                })
              }
            />
          ))}
        </ul>
      )}
      <NewKeyForm
        projects={projects}
        busy={busy}
        onMake={(key) => run(async (ask) => setToken(await ask(makeKey, key)))}
      />
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
