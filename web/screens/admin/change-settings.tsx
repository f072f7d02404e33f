// Settings that administrators change here: sign-up, mail and backups. Each is saved by itself and holds at once; what the server was
// started with is shown and locked.

import { useState } from 'react';
import { changeSetting } from '../../commands/desk-requests.ts';
import { useAsk } from '../../commands.ts';
import type { DeskSetting } from '../../queries/desk/desk-state.ts';
import { isMessage, t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/state.tsx';
import styles from './admin.module.css';
import { TestMail } from './mail.tsx';
import { sayDeskRefusal } from './say-desk-refusal.ts';
import { sayValue } from './say-setting.ts';

const policies = ['open', 'invited', 'domains', 'off'] as const;

interface ChangeSettingsProps {
  readonly settings: readonly DeskSetting[];
  /** After each change: findings, backups and settings are others then. */
  readonly onChange: () => void;
}

export function ChangeSettings({ settings, onChange }: ChangeSettingsProps) {
  return (
    <>
      <p className={styles.note}>{t('desk.change.lead')}</p>
      <ul aria-label={t('desk.change.title')}>
        {settings
          .filter(({ change }) => change !== 'none')
          .map((setting) => (
            // What was typed is of the value that stood there.
            <ChangeSetting
              key={`${setting.name} ${setting.source} ${setting.value}`}
              setting={setting}
              onChange={onChange}
            />
          ))}
      </ul>
      {settings.some(({ name, source }) => name === 'SMTP_URL' && source !== 'default') && (
        <div className={styles.test}>
          <TestMail onChange={onChange} />
        </div>
      )}
    </>
  );
}

function ChangeSetting({ setting, onChange }: { setting: DeskSetting; onChange: () => void }) {
  const { name, value, source, change, is_secret: isSecret } = setting;
  const ask = useAsk();
  // A default may be words instead of a value.
  const before = isSecret || (source === 'default' && name !== 'AUTH_SIGN_UP') ? '' : value;
  const [typed, setTyped] = useState(before);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const isLocked = change === 'locked';

  async function save(wanted: string | null): Promise<void> {
    setBusy(true);
    setFault(null);
    try {
      await ask(changeSetting, name, wanted);
      onChange();
    } catch (reason) {
      setFault(sayFault(name, reason));
    }
    setBusy(false);
  }

  const around = {
    label: sayName(name),
    disabled: isLocked || busy,
    hint: isLocked ? t('desk.change.locked') : sayHint(name),
  };
  return (
    <li className={styles.entry}>
      <form
        className={styles.change}
        onSubmit={(event) => {
          event.preventDefault();
          void save(typed);
        }}
      >
        {name === 'AUTH_SIGN_UP' ? (
          <SelectField
            {...around}
            value={policies.find((one) => one === typed) ?? 'open'}
            choices={policies.map((policy) => ({ value: policy, label: t('desk.change.signUp', { policy }) }))}
            onPick={setTyped}
          />
        ) : (
          <TextField
            {...around}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            placeholder={
              isSecret && source !== 'default' ? t('desk.change.secret') : source === 'default' ? sayValue(setting) : ''
            }
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        {!isLocked && (
          <span className={styles.actions}>
            <Button type="submit" busy={busy} disabled={typed === before}>
              {t('common.save')}
            </Button>
            {source === 'admin page' && (
              <Button
                busy={busy}
                aria-label={t('common.pair', { name: t('desk.change.reset'), value: sayName(name) })}
                onClick={() => void save(null)}
              >
                {t('desk.change.reset')}
              </Button>
            )}
          </span>
        )}
        {fault && <Notice tone="danger">{fault}</Notice>}
      </form>
    </li>
  );
}

function sayName(name: string): string {
  const key = `desk.change.names.${name}` as const;
  return isMessage(key) ? t(key) : name;
}

function sayHint(name: string): string | undefined {
  const key = `desk.change.hints.${name}` as const;
  return isMessage(key) ? t(key) : undefined;
}

function sayFault(name: string, reason: unknown): string {
  const { code } = reason as { readonly code?: string };
  const key = `desk.change.faults.${name}` as const;
  if (code === 'KB804') return t('desk.change.locked');
  return code === 'KB805' && isMessage(key) ? t(key) : sayDeskRefusal(reason);
}
