// Settings that administrators change here: sign-up, mail and backups. Each is saved by itself and holds at once; what the server was
// started with is shown and locked.

import { useState } from 'react';
import { changeSetting } from '../../commands/admin-requests.ts';
import { useAsk } from '../../commands.ts';
import type { AdminSetting } from '../../queries/admin/admin-state.ts';
import { isMessage, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import styles from './admin.module.css';
import { TestMail } from './mail.tsx';
import { sayAdminRefusal } from './say-admin-refusal.ts';
import { sayValue } from './say-setting.ts';

const policies = ['open', 'invited', 'domains', 'off'] as const;
const makers = ['operators', 'everyone'] as const;

/** Has its own part, with a preview (group-mapping.tsx). */
const elsewhere = 'AUTH_OIDC_GROUPS';

interface ChangeSettingsProps {
  readonly settings: readonly AdminSetting[];
  /** After each change: findings, backups and settings are others then. */
  readonly onChange: () => void;
}

export function ChangeSettings({ settings, onChange }: ChangeSettingsProps) {
  return (
    <>
      <p className={`${shapes.softS} ${shapes.block}`}>{t('admin.change.lead')}</p>
      <ul aria-label={t('admin.change.title')}>
        {settings
          .filter(({ name, change }) => change !== 'none' && name !== elsewhere)
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
        <div className={`${shapes.stackS3} ${styles.test}`}>
          <TestMail onChange={onChange} />
        </div>
      )}
    </>
  );
}

function ChangeSetting({ setting, onChange }: { setting: AdminSetting; onChange: () => void }) {
  const { name, value, source, change, is_secret: isSecret } = setting;
  const ask = useAsk();
  // A default may be words instead of a value.
  const before =
    isSecret || (source === 'default' && name !== 'AUTH_SIGN_UP' && name !== 'GROUPS_MADE_BY') ? '' : value;
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
    hint: isLocked ? t('admin.change.locked') : sayHint(name),
  };
  return (
    <li className={`${shapes.rowS4} ${styles.entry}`}>
      <form
        className={`${shapes.stackS2} ${styles.change}`}
        onSubmit={(event) => {
          event.preventDefault();
          void save(typed);
        }}
      >
        {name === 'AUTH_SIGN_UP' ? (
          <SelectField
            {...around}
            value={policies.find((one) => one === typed) ?? 'open'}
            choices={policies.map((policy) => ({ value: policy, label: t('admin.change.signUp', { policy }) }))}
            onPick={setTyped}
          />
        ) : name === 'GROUPS_MADE_BY' ? (
          <SelectField
            {...around}
            value={makers.find((one) => one === typed) ?? 'operators'}
            choices={makers.map((maker) => ({ value: maker, label: t('admin.change.makers', { maker }) }))}
            onPick={setTyped}
          />
        ) : (
          <TextField
            {...around}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            placeholder={
              isSecret && source !== 'default'
                ? t('admin.change.secret')
                : source === 'default'
                  ? sayValue(setting)
                  : ''
            }
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        {!isLocked && (
          <span className={shapes.flowS3}>
            <Button type="submit" busy={busy} disabled={typed === before}>
              {t('common.save')}
            </Button>
            {source === 'admin page' && (
              <Button
                busy={busy}
                aria-label={t('common.pair', { name: t('common.reset'), value: sayName(name) })}
                onClick={() => void save(null)}
              >
                {t('common.reset')}
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
  const key = `admin.change.names.${name}` as const;
  return isMessage(key) ? t(key) : name;
}

function sayHint(name: string): string | undefined {
  const key = `admin.change.hints.${name}` as const;
  return isMessage(key) ? t(key) : undefined;
}

function sayFault(name: string, reason: unknown): string {
  const { code } = reason as { readonly code?: string };
  const key = `admin.change.faults.${name}` as const;
  if (code === 'KB804') return t('admin.change.locked');
  return code === 'KB805' && isMessage(key) ? t(key) : sayAdminRefusal(reason);
}
