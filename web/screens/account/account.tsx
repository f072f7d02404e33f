// Account page: profile, sign-in, sessions, and appearance on this device.

import { useState } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { chooseTheme, savedTheme, type Theme } from '../../theme.ts';
import { capital } from '../../ui/capital.ts';
import pageStyles from '../../ui/page.module.css';
import { usePageTitle } from '../../ui/page-title.ts';
import { Section } from '../../ui/section.tsx';
import { ScreenTitle } from '../../ui/top-bar-slot.tsx';
import { ExportPart } from '../exports/export-part.tsx';
import { ServiceAccountSection } from '../service-accounts/service-account-section.tsx';
import { TemplateList } from '../templates/template-list.tsx';
import { AccessSection } from './access-section.tsx';
import styles from './account.module.css';
import { AgentSection } from './agent-section.tsx';
import { DeleteAccountSection, ExportSection } from './delete-account-section.tsx';
import { EmailSection } from './email-section.tsx';
import { FactorSection } from './factor-section.tsx';
import { FeedSection } from './feed-section.tsx';
import { KeySection } from './key-section.tsx';
import { LanguageSection } from './language-section.tsx';
import { NotificationSection } from './notification-section.tsx';
import { PasskeySection } from './passkey-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { PresenceSection, ProfileSection } from './profile-section.tsx';
import { ProgramSection } from './program-section.tsx';
import { SessionSection } from './session-section.tsx';

const themes: readonly Theme[] = ['system', 'light', 'dark'];

export default function Account() {
  usePageTitle(t('common.nav.account'));
  return (
    <div className={pageStyles.page}>
      <header className={pageStyles.pageHead}>
        <ScreenTitle>{t('common.nav.account')}</ScreenTitle>
      </header>
      <ProfileSection />
      <PresenceSection />
      <ThemeSection />
      <LanguageSection />
      <NotificationSection />
      <FeedSection />
      <TemplateSection />
      <EmailSection />
      <PasswordSection />
      <FactorSection />
      <PasskeySection />
      <SessionSection />
      <ProgramSection />
      <AgentSection />
      <KeySection />
      <ServiceAccountSection />
      <AccessSection />
      <ExportsSection />
      <ExportSection />
      <DeleteAccountSection />
    </div>
  );
}

function ThemeSection() {
  const [theme, setTheme] = useState(savedTheme);
  return (
    <Section title={t('common.theme')} hint={t('account.themeHint')}>
      <fieldset className={shapes.wrapS5}>
        <legend className="only-spoken">{t('common.theme')}</legend>
        {themes.map((one) => (
          <label key={one} className={`${shapes.stackS3} ${styles.theme}`}>
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
            <span
              className={`${styles.themePicture} ${one === 'light' ? '' : styles[`theme${capital(one)}`]}`}
              aria-hidden="true"
            >
              <span />
              <span />
              <span />
            </span>
            {t(`common.themes.${one}`)}
          </label>
        ))}
      </fieldset>
    </Section>
  );
}

/** All projects one sees, taken along. */
function ExportsSection() {
  return (
    <Section title={t('exports.all')} hint={t('exports.hint')}>
      <ExportPart projectId={null} />
    </Section>
  );
}

/** The templates one kept for oneself. */
function TemplateSection() {
  return (
    <Section title={t('templates.mine')} hint={t('templates.mineHint')}>
      <TemplateList projectId="" canWrite />
    </Section>
  );
}
