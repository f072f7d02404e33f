// The address one signs in with.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { changeEmail } from '../../session/account.ts';
import { useHouse, useSession } from '../../session/react.tsx';
import { words } from '../../strings/words.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Section } from '../../ui/section.tsx';
import { Notice } from '../../ui/state.tsx';
import { wrongEmail } from '../sign-in/auth-errors.ts';
import { useErrand } from './use-errand.ts';

const say = words.account;

export function EmailSection() {
  const { door } = useHouse();
  const { user } = useSession();
  const [search] = useSearchParams();
  const [email, setEmail] = useState('');
  const errand = useErrand();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const typed = email.trim();
    const fault = wrongEmail(typed);
    if (fault) return errand.say(fault);
    if (typed.toLowerCase() === user?.email.toLowerCase()) return errand.say(say.emailSame);
    let changed = false;
    const asked = await errand.run(async () => {
      changed = await changeEmail(door, typed, `${location.origin}/auth/callback?next=/app/account`);
    });
    if (!asked) return;
    errand.tell(changed ? say.emailDone : say.emailSent(typed));
    setEmail('');
  }

  return (
    <Section title={say.email} hint={say.emailHint}>
      <p className="account-now">{user?.email}</p>
      <form className="account-line" onSubmit={submit} noValidate>
        <TextField
          type="email"
          label={say.newEmail}
          autoComplete="email"
          maxLength={320}
          value={email}
          error={errand.fault}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" busy={errand.busy}>
          {say.changeEmail}
        </Button>
      </form>
      {errand.done ? (
        <Notice tone="good">{errand.done}</Notice>
      ) : (
        search.get('notice') === 'half_way' && <Notice tone="good">{say.emailHalf}</Notice>
      )}
    </Section>
  );
}
