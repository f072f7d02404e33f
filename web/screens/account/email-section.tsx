// Email address of the account, and its change.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { changeEmail } from '../../session/account.ts';
import { useApp, useSession } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Section } from '../../ui/section.tsx';
import { wrongEmail } from '../sign-in/auth-errors.ts';
import styles from './account.module.css';
import { useRequest } from './use-request.ts';

export function EmailSection() {
  const { door, settings } = useApp();
  const { user } = useSession();
  const [search] = useSearchParams();
  const [email, setEmail] = useState('');
  const request = useRequest();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const typed = email.trim();
    const fault = wrongEmail(typed);
    if (fault) return request.say(fault);
    if (typed.toLowerCase() === user?.email.toLowerCase()) return request.say(t('account.emailSame'));
    let changed = false;
    const asked = await request.run(async () => {
      changed = await changeEmail(door, typed, `${location.origin}/auth/callback?next=/app/account`);
    });
    if (!asked) return;
    if (changed) request.tell(t('account.emailDone'));
    else request.tell(settings.mail ? t('account.emailSent', { email: typed }) : t('signIn.noMail.inDevInbox'));
    setEmail('');
  }

  return (
    <Section title={t('common.emailAddress')} hint={t('account.emailHint')}>
      <p className={`${shapes.strong} ${shapes.breaks}`}>{user?.email}</p>
      {settings.mail || settings.mailKept ? (
        <form className={`${shapes.stackS3} ${shapes.stackS3} ${styles.accountLine}`} onSubmit={submit} noValidate>
          <TextField
            type="email"
            label={t('account.newEmail')}
            autoComplete="email"
            maxLength={320}
            value={email}
            error={request.fault}
            onChange={(event) => setEmail(event.target.value)}
          />
          <Button type="submit" busy={request.busy}>
            {t('account.changeEmail')}
          </Button>
        </form>
      ) : (
        <Notice>{t('account.emailNoMail')}</Notice>
      )}
      {request.done ? (
        <Notice tone="good">{request.done}</Notice>
      ) : (
        search.get('notice') === 'half_way' && <Notice tone="good">{t('account.emailHalf')}</Notice>
      )}
    </Section>
  );
}
