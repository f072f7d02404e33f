// My account: who I am to others, how I sign in, where I am signed in, and how the app looks on this device.

import { useState } from 'react';
import { words } from '../../strings/words.ts';
import { chooseTheme, savedTheme, type Theme } from '../../theme.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { Section } from '../../ui/section.tsx';
import { EmailSection } from './email-section.tsx';
import { FactorSection } from './factor-section.tsx';
import { PasskeySection } from './passkey-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionSection } from './session-section.tsx';
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
