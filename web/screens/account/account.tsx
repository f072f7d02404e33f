// My account: who I am to others, how I sign in, where I am signed in, and how the app looks on this device.

import { useState } from 'react';
import { signOutOthers } from '../../session/account.ts';
import { useHouse } from '../../session/react.tsx';
import { perform } from '../../shell/navigation.tsx';
import { words } from '../../strings/words.ts';
import { chooseTheme, savedTheme, type Theme } from '../../theme.ts';
import { Button } from '../../ui/button.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { Section } from '../../ui/section.tsx';
import { Notice } from '../../ui/state.tsx';
import { EmailSection } from './email-section.tsx';
import { FactorSection } from './factor-section.tsx';
import { PasskeySection } from './passkey-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { useErrand } from './use-errand.ts';
import './account.css';

const say = words.account;
const themes: readonly Theme[] = ['system', 'light', 'dark'];

export default function Account() {
  usePageTitle(say.title);
  return (
    <div className="page account">
      <header className="page-head">
        <h1>{say.title}</h1>
      </header>
      <ProfileSection />
      <ThemeSection />
      <EmailSection />
      <PasswordSection />
      <FactorSection />
      <PasskeySection />
      <SessionSection />
    </div>
  );
}

function ThemeSection() {
  const [theme, setTheme] = useState(savedTheme);
  return (
    <Section title={say.theme} hint={say.themeHint}>
      <fieldset className="themes">
        <legend className="only-spoken">{say.theme}</legend>
        {themes.map((one) => (
          <label key={one} className="theme">
            <input
              type="radio"
              name="theme"
              className="only-spoken"
              checked={theme === one}
              onChange={() => {
                chooseTheme(one);
                setTheme(one);
              }}
            />
            <span className={`theme-picture theme-${one}`} aria-hidden="true">
              <span />
              <span />
              <span />
            </span>
            {words.common.themes[one]}
          </label>
        ))}
      </fieldset>
    </Section>
  );
}

function SessionSection() {
  const { door } = useHouse();
  const errand = useErrand();
  return (
    <Section title={say.sessions} hint={say.sessionsHint}>
      <p className="account-words">{say.signOutOthersWords}</p>
      {errand.fault && <Notice tone="danger">{errand.fault}</Notice>}
      {errand.done && <Notice tone="good">{errand.done}</Notice>}
      <div className="account-actions">
        <Button busy={errand.busy} onClick={() => void errand.run(() => signOutOthers(door), say.othersOut)}>
          {say.signOutOthers}
        </Button>
        <Button look="quiet" onClick={() => perform('sign-out')}>
          {say.signOut}
        </Button>
      </div>
    </Section>
  );
}
