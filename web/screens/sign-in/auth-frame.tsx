// Frame of the sign-in pages: logo, title, form, and a picture beside it on wide screens.

import type { ReactNode } from 'react';
import { nameLanguage } from '../../../contract/name-language.ts';
import { Logo } from '../../pieces/logo.tsx';
import { useApp } from '../../session/react.tsx';
import { languageHere, languages, switchLanguage } from '../../strings/language.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Notice } from '../../ui/list-states.tsx';
import styles from './door.module.css';

const tones = ['', styles.doorCard1, styles.doorCard2, styles.doorCard3];

export function AuthFrame({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <div className={`${shapes.grid} ${shapes.surface} ${styles.door}`}>
      <main className={`${shapes.column} ${shapes.gapS5} ${styles.doorForm}`}>
        <a href="/" className={styles.doorHome}>
          <Logo />
        </a>
        <h1>{title}</h1>
        {lead && <Lead>{lead}</Lead>}
        {children}
        <Languages />
      </main>
      <aside className={`${shapes.ownColours} ${shapes.grid} ${shapes.centred} ${styles.doorArt}`} aria-hidden="true">
        <div className={`${shapes.flex} ${shapes.gapS5} ${styles.doorBoard}`}>
          {[3, 4, 2].map((cards, column) => (
            <div key={cards} className={`${shapes.stackS4} ${shapes.roundL} ${styles.doorColumn}`}>
              <span className={styles.doorBar} />
              {Array.from({ length: cards }, (_, card) => (
                <span
                  // biome-ignore lint/suspicious/noArrayIndexKey: a drawing that never changes
                  key={card}
                  className={`${shapes.stackS3} ${shapes.panel} ${styles.doorCard} ${tones[(column * 2 + card) % 4]}`}
                >
                  <i />
                  <i />
                </span>
              ))}
            </div>
          ))}
        </div>
        <p>{t('signIn.pitch')}</p>
      </aside>
    </div>
  );
}

/** Before signing in there is no account to ask. */
function Languages() {
  return (
    <p className={`${shapes.lineS4} ${styles.doorLanguages}`}>
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={language === languageHere()}
          onClick={() => switchLanguage(language)}
        >
          {nameLanguage(language)}
        </button>
      ))}
    </p>
  );
}

/** What stands below the title, or above what is to be pressed. */
export function Lead({ children }: { children: ReactNode }) {
  return <p className={shapes.soft}>{children}</p>;
}

/** An email is on its way; or there's no mail server, and what one does then: of all that is asked for here, only sign-up comes this far. */
export function Sent({ words: sentence }: { words: string }) {
  const { settings } = useApp();
  if (!settings.mail) return <NoMail words={t('signIn.noMail.confirm')} />;
  return (
    <Notice tone="good">
      <strong>{t('signIn.sent.title')}</strong>
      <p>{sentence}</p>
    </Notice>
  );
}

/** `words`: what helps instead. */
export function NoMail({ words }: { words: string }) {
  const { settings } = useApp();
  if (settings.mailKept)
    return (
      <Notice>
        <strong>{t('signIn.noMail.inDevInboxTitle')}</strong>
        <p>
          {t('signIn.noMail.inDevInbox')} <a href="/dev/inbox">{t('signIn.noMail.open')}</a>
        </p>
      </Notice>
    );
  return (
    <Notice tone="warn">
      <strong>{t('signIn.noMail.title')}</strong>
      <p>{words}</p>
    </Notice>
  );
}

/** After the faults are drawn, the first field that has one gets the focus. */
export function focusFirstFault(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('form [aria-invalid]')?.focus());
}
